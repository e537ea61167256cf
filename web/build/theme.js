try {
  const stored = localStorage.getItem("svc.theme");
  if (stored === "light" || stored === "dark") document.documentElement.dataset.theme = stored;
} catch {
  // Storage is refused: the page follows the system.
}
