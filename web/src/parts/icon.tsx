const paths = {
  search: "M11 11l3.5 3.5M12.5 7a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0z",
  close: "M4 4l8 8M12 4l-8 8",
  plus: "M8 3.5v9M3.5 8h9",
  down: "M4 6l4 4 4-4",
  right: "M6 4l4 4-4 4",
  up: "M8 13V3.5M4 7l4-4 4 4",
  fall: "M8 3v9.5M4 9l4 4 4-4",
  sun: "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1",
  moon: "M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z",
  key: "M9.5 9.5a3.5 3.5 0 1 0-3-3L2 11v3h3v-2h2l2.5-2.5z",
  copy: "M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z",
  check: "M3 8.5l3.5 3.5L13 4.5",
  save: "M8 2v8.5M4.5 7.5L8 11l3.5-3.5M2.5 13.5h11",
  play: "M5 3l8 5-8 5z",
  alert: "M8 2L1.5 13.5h13zM8 6.5v3M8 11.5v.2",
  lock: "M4 7V5a4 4 0 0 1 8 0v2M3 7h10v7H3z",
  filter: "M2 3h12l-4.5 5.5V13l-3-1.5v-3z",
  clock: "M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM8 4.5V8l2.5 1.5",
  chat: "M2 3h12v8.5H7L4 14v-2.5H2z",
  table: "M2 3h12v10H2zM2 6.5h12M6.5 6.5V13",
  explore: "M2 13.5V9M6 13.5v-9M10 13.5V7M14 13.5V2.5",
  keys: "M1.5 4h13v8h-13zM4 6.7h.1M6.7 6.7h.1M9.4 6.7h.1M12 6.7h.1M4.5 9.5h7",
  line: "M2 11l4-4 3 3 5-6",
  bar: "M3 13.5V8M8 13.5V3M13 13.5V6",
  stacked: "M3 13.5V5M8 13.5V3M13 13.5V7M2 9h2M7 8h2M12 10.5h2",
  heat: "M2 2h12v12H2zM6 2v12M10 2v12M2 6h12M2 10h12",
  value: "M3 4.5L5.5 3v10M9 5a2.2 2.2 0 0 1 4.3.6C13.3 8 9 9.5 9 13h4.5",
  none: "M3 3l10 10M13 3L3 13",
  auto: "M8 2l1.5 4.5L14 8l-4.5 1.500L8 14l-1.5-4.500L2 8l4.5-1.500z",
  sliders: "M2 4.500h7M12 4.500h2M2 11.500h2M7 11.500h7M9 2.8v3.4M5 9.8v3.4",
  gauge: "M2.5 12a6 6 0 1 1 11 0M8 10.500l3-4",
} as const

export type IconName = keyof typeof paths

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}
