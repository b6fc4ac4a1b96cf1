"""The live page of `toolgym view`: a local server of run folders, over the modules that the report is made of."""
