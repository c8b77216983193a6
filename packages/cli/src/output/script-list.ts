import type { CheckedScript } from '../commands/script-checks.ts'
import type { Paint } from './output.ts'
import { padTo, visible, visibleName, widthOf } from './text.ts'

/** One very long path must not push everything else out of sight. */
const MAX_PATH_COLUMNS = 40

/** A line for each script: what it would be run by, or why it cannot be. */
export function scriptLines(scripts: readonly CheckedScript[], paint: Paint): readonly string[] {
  const paths = scripts.map(({ path }) => (path === undefined ? 'SKILL.md' : visibleName(path)))
  const width = Math.min(MAX_PATH_COLUMNS, Math.max(0, ...paths.map(widthOf)))
  return scripts.map(({ interpreter, runner, problem }, index) => {
    const path = padTo(paths[index]!, width)
    if (problem !== undefined) return `${paint.red('✗')} ${path}  ${visible(problem)}`
    const by = [interpreter, runner].filter((part) => part !== undefined).join(' in ')
    return `${paint.green('✓')} ${path}  ${paint.dim(by)}`
  })
}
