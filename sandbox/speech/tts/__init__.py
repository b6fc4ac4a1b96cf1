"""Text-to-speech engines, one file each, registered in the entry-point group `toolgym.tts`."""
