import type { ComponentChildren } from "preact"
import { isolate } from "../../bidi"
import { count, formatNumber } from "../../format"
import { CopyButton } from "../../parts/copy"
import { Note } from "../../parts/notice"
import type { Applied } from "../../query/answer"
import { write } from "../../server/exact"
import { listed, maybe, t } from "../../words"
import { Sql } from "./sql"

export interface Statement {
  purpose: string
  sql: string
  rows: number
  ms: number
  plan?: string
}

export interface Explained {
  model: string
  summary: string
  rows?: string
  joins?: string[]
  applied?: Applied
  limit?: string
  freshness?: Record<string, unknown>
  warnings?: string[]
  statements?: Statement[]
  [key: string]: unknown
}

const shown = ["model", "summary", "rows", "columns", "joins", "applied", "limit", "freshness", "warnings", "statements"]

function ms(value: number): string {
  return formatNumber(value, { dataType: "decimal", measure: true })
}

/** An explanation as a person reads it: words first, then time, statements and plans, then what was applied. */
export function Explanation({ explained, took, admin }: { explained: Explained; took: number; admin: boolean }) {
  const statements = explained.statements ?? []
  return (
    <>
      {!admin && <Note>{t("inspect.notAdmin")}</Note>}
      {(explained.warnings ?? []).length > 0 && (
        <Note>
          {explained.warnings?.map((w) => (
            <p key={w}>{w}</p>
          ))}
        </Note>
      )}
      <section class="card pad">
        <h2>{t("inspect.summary")}</h2>
        <p class="explained">{explained.summary}</p>
      </section>
      {statements.length > 0 && <Timing statements={statements} took={took} />}
      <AppliedCard explained={explained} />
      {statements.map((s, i) => (
        <StatementCard key={i} statement={s} />
      ))}
    </>
  )
}

function Timing({ statements, took }: { statements: Statement[]; took: number }) {
  const all = [...statements.map((s) => ({ name: purposeText(s), ms: s.ms })), { name: t("inspect.client"), ms: took }]
  const most = Math.max(...all.map((a) => a.ms), 1)
  return (
    <section class="card pad">
      <h2>{t("inspect.timing")}</h2>
      <div class="timing">
        {all.map((a, i) => (
          <div key={i} class="timing-line">
            <span>{a.name}</span>
            <span class="timing-bar" aria-hidden="true">
              <i class={i === all.length - 1 ? "whole" : undefined} style={{ width: `${Math.max(0.6, (a.ms / most) * 100)}%` }} />
            </span>
            <span class="timing-ms">{t("unit.ms", ms(Math.round(a.ms * 10) / 10))}</span>
          </div>
        ))}
      </div>
    </section>
  )
}

function purposeText(s: Statement): string {
  return maybe(`purpose.${s.purpose}`) ?? s.purpose
}

function StatementCard({ statement }: { statement: Statement }) {
  return (
    <section class="card statement">
      <header>
        <h2 class="grow">
          {t("inspect.statement", purposeText(statement))} <span class="muted">{t("inspect.rowsMs", t("explore.rows", count(statement.rows)), t("unit.ms", ms(statement.ms)))}</span>
        </h2>
        <CopyButton text={statement.sql} label="SQL" />
      </header>
      <Sql text={statement.sql} label={t("inspect.statement", purposeText(statement))} />
      <details>
        <summary>{t("inspect.plan")}</summary>
        {statement.plan ? (
          <pre tabIndex={0} aria-label={t("inspect.plan")} class="plan">
            {statement.plan}
          </pre>
        ) : (
          <p class="muted pad">{t("inspect.noPlan")}</p>
        )}
      </details>
    </section>
  )
}

function AppliedCard({ explained }: { explained: Explained }) {
  const applied = explained.applied ?? {}
  const access = applied.access
  const rest = Object.fromEntries(Object.entries(explained).filter(([name]) => !shown.includes(name)))
  const { access: _a, defaults, filteredBefore, filteredAfter, timeRanges, cache, rollup, mode: _m, groupBy: _g, ...other } = applied
  const rights = access && [access.rowsLimited && t("inspect.rowsLimited"), access.masked?.length && t("inspect.masked", listed(access.masked))].filter(Boolean)
  return (
    <section class="card pad">
      <h2>{t("inspect.applied")}</h2>
      <dl class="applied">
        <Fact name={t("inspect.access")}>{rights && rights.length > 0 ? rights.join(" ") : t("inspect.noAccess")}</Fact>
        <Fact name={t("inspect.filters")}>{filteredBefore && <List all={filteredBefore} />}</Fact>
        <Fact name={t("inspect.having")}>{filteredAfter && <List all={filteredAfter} />}</Fact>
        <Fact name={t("inspect.times")}>{timeRanges && <List all={timeRanges.map((r) => `${isolate(r.field)}: ${t("interval.[)", r.from, r.to)}`)} />}</Fact>
        <Fact name={t("inspect.joins")}>{explained.joins && explained.joins.length > 0 && listed(explained.joins)}</Fact>
        <Fact name={t("inspect.defaults")}>{defaults && <Tree value={defaults} />}</Fact>
        <Fact name={t("inspect.cache")}>{(cache !== undefined || rollup !== undefined) && <Tree value={{ ...(cache !== undefined && { cache }), ...(rollup !== undefined && { rollup }) }} />}</Fact>
        <Fact name={t("inspect.fresh")}>{explained.freshness && <Tree value={explained.freshness} />}</Fact>
        <Fact name={t("inspect.other")}>{Object.keys({ ...other, ...rest }).length > 0 && <Tree value={{ ...other, ...rest }} />}</Fact>
      </dl>
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  if (!children) return null
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function List({ all }: { all: string[] }) {
  return (
    <ul>
      {all.map((text) => (
        <li key={text}>
          <code>{text}</code>
        </li>
      ))}
    </ul>
  )
}

function Tree({ value }: { value: object }) {
  return (
    <ul>
      {Object.entries(value).map(([name, v]) => (
        <li key={name}>
          <span class="muted">{maybe(`fact.${name}`) ?? name}</span> <code>{typeof v === "string" ? v : write(v)}</code>
        </li>
      ))}
    </ul>
  )
}
