import { notOfferedNote } from '../../disclosure/listing.ts'
import { skillTool, toolDescription } from '../per-skill.ts'
import { SKILL_TOOL_PREFIX } from '../skill-tool-name.ts'
import type { Style } from './style.ts'

export const toolsStyle: Style = {
  place: 'after-guidance',
  details: ['white-space', 'arguments'],
  text: (entries, unlisted) => (unlisted === 0 ? '' : notOfferedNote(entries.length, unlisted, SKILL_TOOL_PREFIX)),
  entry: () => '',
  toolOf: skillTool,
  bound: toolDescription,
}
