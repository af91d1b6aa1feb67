"""What in the notebook is the training step: watching it, capturing it, running it again."""
