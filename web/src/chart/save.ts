// A chart as a file of its own: SVG as it is drawn, or that painted into a PNG.
import { fontFamily } from "./axes"
import { palette } from "./palette"

const margin = 16

/** What no XML may hold, not even escaped; a cell may. */
const notXML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

/** svgText returns the chart in a place as a document of its own, with ground and margin. */
export function svgText(place: HTMLElement, title: string): string | undefined {
  const drawn = place.querySelector("svg")
  if (!drawn) return undefined
  const width = Number(drawn.getAttribute("width"))
  const height = Number(drawn.getAttribute("height"))
  const svg = drawn.cloneNode(true) as SVGSVGElement
  svg.setAttribute("xmlns", "http://www.w3.org/2000/svg")
  svg.setAttribute("viewBox", `${-margin} ${-margin} ${width + 2 * margin} ${height + 2 * margin}`)
  svg.setAttribute("width", String(width + 2 * margin))
  svg.setAttribute("height", String(height + 2 * margin))
  svg.setAttribute("font-family", fontFamily)
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect")
  for (const [name, value] of Object.entries({ x: -margin, y: -margin, width: width + 2 * margin, height: height + 2 * margin, fill: palette().ground })) ground.setAttribute(name, String(value))
  const heading = document.createElementNS("http://www.w3.org/2000/svg", "title")
  heading.textContent = title
  svg.prepend(heading, ground)
  return new XMLSerializer().serializeToString(svg).replace(notXML, "\ufffd")
}

const sharpness = 2

/** pngOf paints an SVG, at twice its size. */
export async function pngOf(svg: string): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }))
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    const canvas = document.createElement("canvas")
    canvas.width = image.naturalWidth * sharpness
    canvas.height = image.naturalHeight * sharpness
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no image"))), "image/png"))
  } finally {
    URL.revokeObjectURL(address)
  }
}
