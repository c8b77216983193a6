import { sectionList } from '../../disclosure/listing.ts'
import type { Style } from './style.ts'

export const sectionStyle: Style = { place: 'before-guidance', text: sectionList }
