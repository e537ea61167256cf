try {
  const stored = localStorage.getItem("svc.theme");
  if (["light", "dark", "contrast"].includes(stored))
    document.documentElement.dataset.theme = stored;
} catch {
  // Storage is refused: the page follows the system.
}
