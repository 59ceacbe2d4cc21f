export function InspectView() {
  return null
}
