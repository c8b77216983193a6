import { xmlList } from '../../disclosure/listing.ts'
import type { Style } from './style.ts'

export const xmlStyle: Style = { place: 'before-guidance', text: xmlList }
