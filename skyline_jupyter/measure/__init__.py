"""The only code that calls the training step for numbers: isolation, timing, memory, sampling."""
