import { Component, type ComponentChildren } from "preact"
import { Icon } from "../parts/icon"
import { addressOf, type View } from "../route"
import { t } from "../words"

interface Props {
  place: string // another place is another try
  view: View
  children: ComponentChildren
}

interface State {
  wrong: string | undefined
  place: string
}

/** What cannot be drawn is told in words, with a way out; everything around it goes on. */
export class Boundary extends Component<Props, State> {
  override state: State = { wrong: undefined, place: this.props.place }

  static override getDerivedStateFromError(error: unknown): Partial<State> {
    return { wrong: error instanceof Error ? error.message : String(error) }
  }

  static override getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.place === state.place ? null : { wrong: undefined, place: props.place }
  }

  override render() {
    if (this.state.wrong === undefined) return this.props.children
    const again = () => this.setState({ wrong: undefined })
    return (
      <div class="content">
        <div class="notice bad" role="alert" data-failure="page">
          <Icon name="alert" />
          <div class="grow">
            <h1>{t("fail.page")}</h1>
            <p>{t("fail.pageHint")}</p>
            <p class="muted mono">{this.state.wrong}</p>
            <div class="row">
              <a class="button main small" href={addressOf({ view: this.props.view })} onClick={again}>
                {t("fail.anew")}
              </a>
              <button class="button small" type="button" onClick={again}>
                {t("fail.retry")}
              </button>
            </div>
          </div>
        </div>
      </div>
    )
  }
}
