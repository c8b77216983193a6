import { stageFile, exists, stagedName } from '../durable/staging.ts'
import type { StoreFolders } from '../durable/swap.ts'

const NAME = '.gitignore'

/** Keeps what belongs to one machine alone, such as the lock between writers, out of the project's repository. */
export function ignoreState({ system, state, path }: StoreFolders): void {
  if (exists(state, NAME)) return
  const staged = stagedName(path)
  stageFile(system, state, staged, { bytes: Buffer.from('*\n') })
  state.at(staged, (from) => state.at(NAME, (to) => system.rename(from, to)))
}
