import { isAbsolute } from 'node:path'

/**
 * The folder that relative paths start from.
 *
 * npm runs a script in the folder of its package.json, and sets `INIT_CWD` to the caller's folder. That counts only
 * when a script of the checkout runs us: any npm script far outside sets the variable too, and for an installed command
 * it would be the wrong folder.
 * @param fromSource whether the command runs from its sources, as only the checkout's script runs it
 * @param ownScript the checkout's script that runs us
 */
export function callerFolder(
  env: Readonly<Record<string, string | undefined>>,
  workingFolder: string,
  fromSource: boolean,
  ownScript: string = 'repertoire',
): string {
  const { INIT_CWD: caller, npm_lifecycle_event: script } = env
  return fromSource && script === ownScript && caller !== undefined && isAbsolute(caller) ? caller : workingFolder
}
