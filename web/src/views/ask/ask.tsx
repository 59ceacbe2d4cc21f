export function AskView() {
  return null
}
