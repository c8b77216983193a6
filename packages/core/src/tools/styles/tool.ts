import { lineEntry, lineList } from '../../disclosure/listing.ts'
import type { Style } from './style.ts'

export const toolStyle: Style = {
  place: 'activation-tool',
  details: ['enumeration', 'locations'],
  text: lineList,
  entry: lineEntry,
}
