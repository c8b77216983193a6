import { isSkillError } from '@repertoire/core'
import type { GlobalLock } from '@repertoire/library'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Context } from '../context.ts'
import type { ListedRow } from '../output/skill-list.ts'
import { visible } from '../output/text.ts'

/** The home folder of the person who runs the command. */
export function homeOf({ env }: Pick<Context, 'env'>): string {
  return env['HOME'] ?? env['USERPROFILE'] ?? homedir()
}

/** The folder of a person's own skills. */
export function ownSkills(context: Pick<Context, 'env'>): string {
  return join(homeOf(context), '.agents/skills')
}

/** Reads the lock that other commands keep for this person. @throws {SkillError} LOCK_INVALID */
export async function otherLock(context: Pick<Context, 'env'>): Promise<GlobalLock> {
  const { readGlobalLock } = await import('@repertoire/library')
  const state = context.env['XDG_STATE_HOME']
  return readGlobalLock({ home: homeOf(context), state })
}

/** Says of the skills of a list which another command keeps. A lock that cannot be read is said, and says nothing itself. */
export async function withOtherLock(rows: readonly ListedRow[], context: Context): Promise<readonly ListedRow[]> {
  const root = ownSkills(context)
  const isOwn = ({ skill }: ListedRow): boolean => dirname(skill.location) === root
  if (!rows.some(isOwn) || !mayHaveLock(context)) return rows
  try {
    const { path, skills } = await otherLock(context)
    const sources = new Map([...skills.values()].map(({ folder, source }) => [folder, source]))
    return rows.map((row) => {
      const source = isOwn(row) ? sources.get(basename(row.skill.location)) : undefined
      return source === undefined ? row : { ...row, kept: { lock: path, source } }
    })
  } catch (error) {
    if (!isSkillError(error)) throw error
    const { stderr } = context
    await stderr.write(`${stderr.paint.yellow('warning:')} ${visible(error.message)}\n`)
    return rows
  }
}

/** Whether there may be such a lock: what reads it is not loaded otherwise. */
function mayHaveLock(context: Pick<Context, 'env'>): boolean {
  return Boolean(context.env['XDG_STATE_HOME']) || existsSync(join(homeOf(context), '.agents/.skill-lock.json'))
}
