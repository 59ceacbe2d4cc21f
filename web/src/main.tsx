import { render } from "preact"
import { Frame } from "./frame/frame"
import { listen } from "./frame/keys"
import { remember } from "./frame/lead"
import { entitle } from "./frame/title"
import { follow } from "./route"
import "./style/tokens.css"
import "./style/base.css"
import "./style/frame.css"
import "./style/table.css"
import "./style/chart.css"
import "./style/models.css"
import "./style/explore.css"
import "./style/ask.css"
import "./style/inspect.css"

follow()
remember()
entitle()
listen()
const place = document.getElementById("page")
if (place) {
  place.textContent = "" // the head that stood there while the script was on its way
  render(<Frame />, place)
}
