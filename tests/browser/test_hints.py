"""What a slow step calls for is said under the cell that was profiled, and where it is seen is one click away."""

from playwright.sync_api import expect

from tests.browser.conftest import Open, Screenshot
from tests.browser.notebook_page import WAIT_MS

DATA = """import time
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

class Slow(Dataset):
    def __len__(self):
        return 400
    def __getitem__(self, index):
        time.sleep(0.004)
        return torch.randn(256), torch.randn(1)

train_loader = DataLoader(Slow(), batch_size=16)"""
MODEL = """net = nn.Sequential(nn.Linear(256, 1024), nn.ReLU(), nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 1))
optimizer = torch.optim.AdamW(net.parameters())"""
TRAINING = """%%skyline --time-budget 5
for x, y in train_loader:
    optimizer.zero_grad()
    nn.functional.mse_loss(net(x), y).backward()
    optimizer.step()"""
CELLS = [("load", "%load_ext skyline_jupyter"), ("data", DATA), ("model", MODEL), ("training", TRAINING)]


def test_a_training_that_waits_for_its_data_is_told_to_take_workers(
    open_notebook: Open, screenshot: Screenshot
) -> None:
    notebook = open_notebook(CELLS)
    notebook.run_all()

    hints = notebook.page.locator(".jp-Notebook .skyline-todo")
    expect(hints).to_contain_text("Waiting for the batch takes ", timeout=2 * WAIT_MS)
    expect(hints).to_contain_text("Give the loader num_workers=")
    hints.scroll_into_view_if_needed()
    screenshot(notebook, "hints")
