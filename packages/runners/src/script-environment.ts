import type { ScriptJob } from '@repertoire/core'

/** The environment of a script. A job's variables replace the locale, and nothing else of it. */
export function environmentOf(
  { environment }: Pick<ScriptJob, 'environment'>,
  folders: { readonly skill: string; readonly temporary: string; readonly workspace?: string | undefined },
  path?: string,
): Readonly<Record<string, string>> {
  return {
    // Without it, programs take letters for bytes.
    LANG: 'C.UTF-8',
    ...environment,
    ...(path !== undefined && { PATH: path }),
    HOME: folders.temporary,
    TMPDIR: folders.temporary,
    SKILL_DIR: folders.skill,
    ...(folders.workspace !== undefined && { WORKSPACE_DIR: folders.workspace }),
  }
}
