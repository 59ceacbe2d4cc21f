// Sets the chosen appearance before anything is painted, so that the page never flashes in the other one.
try {
  const chosen = localStorage.getItem("parlance.appearance")
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.appearance = chosen
} catch {
  // Without storage the system's appearance holds.
}
