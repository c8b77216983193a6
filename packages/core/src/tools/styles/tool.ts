import { lineList } from '../../disclosure/listing.ts'
import type { Style } from './style.ts'

export const toolStyle: Style = { place: 'activation-tool', text: lineList }
