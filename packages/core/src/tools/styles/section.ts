import { lineEntry, sectionList } from '../../disclosure/listing.ts'
import type { Style } from './style.ts'

export const sectionStyle: Style = {
  place: 'before-guidance',
  details: ['enumeration', 'locations'],
  text: sectionList,
  entry: lineEntry,
}
