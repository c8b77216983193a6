import { xmlEntry, xmlList } from '../../disclosure/listing.ts'
import type { Style } from './style.ts'

export const xmlStyle: Style = {
  place: 'before-guidance',
  details: ['white-space', 'enumeration', 'locations'],
  text: xmlList,
  entry: xmlEntry,
}
