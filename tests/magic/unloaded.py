"""Cells that train without a `DataLoader`, at the size that `batch_size` says."""

STEP = """
        optimizer.zero_grad()
        loss = F.cross_entropy(net(xb), yb)
        loss.backward()
        optimizer.step()
"""
SLICES = (
    """
for epoch in range(3):
    for i in range(0, len(X), batch_size):
        xb, yb = X[i:i + batch_size], y[i:i + batch_size]
"""
    + STEP
)
GET_BATCH = """
def get_batch():
    rows = torch.randint(len(X), (batch_size,))
    return X[rows], y[rows]
"""
GET_BATCH_LOOP = (
    """
for it in range(40):
    for _ in range(1):
        xb, yb = get_batch()
"""
    + STEP
)
