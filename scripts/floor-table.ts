import type { FloorTable } from './floor-violations.ts'

/** The folder whose own folders have a column of their own. */
const CORE = 'packages/core/src/'

/** The table of floors in Markdown, lowest first, with the imports that are allowed within a floor below it. */
export function renderFloors({ floors, sideways }: FloorTable): string {
  const rows = floors.map(({ places, planned = [] }, index) => {
    const names = [...places.map((place) => `\`${nameOf(place)}\``), ...planned.map((place) => `_${nameOf(place)}_`)]
    const isCore = [...places, ...planned].map((place) => place.startsWith(CORE))
    const cells = [true, false].map((wanted) => names.filter((_, at) => isCore[at] === wanted).join(', '))
    return `| ${index + 1} | ${cells.join(' | ')} |`
  })
  const edges = sideways.map(({ from, to, reason }) => `- \`${nameOf(from)}\` imports \`${nameOf(to)}\`: ${reason}.`)
  return [
    '| floor | in `packages/core/src` | packages and apps |',
    '| --: | --- | --- |',
    ...rows,
    '',
    'Places in italics are planned. Within a floor, only these imports are allowed:',
    '',
    ...edges,
  ].join('\n')
}

function nameOf(place: string): string {
  return place.startsWith(CORE) ? place.slice(CORE.length) : place
}
