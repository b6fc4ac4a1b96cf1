"""Speech recognisers, one file each, registered in the entry-point group `toolgym.asr`."""
