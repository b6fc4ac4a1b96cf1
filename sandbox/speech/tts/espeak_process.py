"""A process that speaks one text with eSpeak NG's C library and ends; run by `espeak`, imports nothing of toolgym.

The library keeps state from one utterance to the next, so only a fresh process gives the same samples for the same
text. Arguments: `speak VOICE WORDS_PER_MINUTE` writes the rate on a line and 16-bit samples, `phonemes VOICE` one line
of IPA for each line of the input.
"""

import ctypes
import sys

import espeakng_loader

CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p)
SYNCHRONOUS, DONT_EXIT = 2, 0x8000
RATE, UTF8, IPA = 1, 1, 2


def main() -> int:
    """Speak the input, or turn it into phonemes."""
    library = espeakng_loader.load_library()
    if library is None:
        return 3
    rate = library.espeak_Initialize(SYNCHRONOUS, 0, str(espeakng_loader.get_data_path()).encode("utf-8"), DONT_EXIT)
    if rate <= 0:
        return 3
    if library.espeak_SetVoiceByName(sys.argv[2].encode("utf-8")) != 0:
        return 4
    text = sys.stdin.buffer.read()
    if sys.argv[1] == "speak":
        sys.stdout.buffer.write(b"%d\n" % rate + speech(library, text, int(sys.argv[3])))
    else:
        sys.stdout.buffer.write(b"\n".join(phonemes(library, line) for line in text.split(b"\n")))
    return 0


def speech(library: ctypes.CDLL, text: bytes, speed: int) -> bytes:
    """The samples of a text."""
    blocks: list[bytes] = []

    def collect(data: "ctypes._Pointer[ctypes.c_short]", count: int, _: object) -> int:
        if data and count > 0:
            blocks.append(ctypes.string_at(data, 2 * count))
        return 0

    callback = CALLBACK(collect)
    library.espeak_SetSynthCallback(callback)
    library.espeak_SetParameter(RATE, speed, 0)
    library.espeak_Synth(text, len(text) + 1, 0, 1, 0, UTF8, None, None)
    library.espeak_Synchronize()
    return b"".join(blocks)


def phonemes(library: ctypes.CDLL, text: bytes) -> bytes:
    """A text in the International Phonetic Alphabet."""
    library.espeak_TextToPhonemes.restype = ctypes.c_char_p
    library.espeak_TextToPhonemes.argtypes = [ctypes.POINTER(ctypes.c_void_p), ctypes.c_int, ctypes.c_int]
    content = ctypes.create_string_buffer(text)
    rest = ctypes.c_void_p(ctypes.addressof(content))
    clauses = []
    while rest.value:
        clauses.append(library.espeak_TextToPhonemes(ctypes.byref(rest), UTF8, IPA))
    return b" ".join(clauses)


if __name__ == "__main__":
    sys.exit(main())
