import { describe, expect, it } from 'vitest'
import type { ActiveSkill } from '../../../src/adapter.ts'
import { createPinnedFolders } from '../../../src/session/activation/pinned-folders.ts'
import { activeSkill } from '../active-skill.ts'

const skill = (more: Partial<ActiveSkill>): ActiveSkill => activeSkill('pdf', { source: 'a', location: 'bc', ...more })

describe('what is remembered of activations', () => {
  it('[ACT-14] is of the one that showed it, and of no other', async () => {
    const mount = { path: 'private:/.skills/pdf', location: '/tasks/1/pdf' }
    const skills = [
      skill({}),
      skill({ source: 'ab' }),
      skill({ source: 'ab', location: 'c' }),
      skill({ location: 'c' }),
      skill({ digest: 'e' }),
      skill({}),
      skill({ args: 'x' }),
      skill({ args: '"x"' }),
      skill({ mount }),
      skill({ mount: { ...mount, location: '/tasks/2/pdf' } }),
      skill({ mount: { ...mount, path: 'private:/.skills/pdf-2' } }),
      skill({ mount, args: 'x' }),
    ]
    const pinned = createPinnedFolders(() => undefined)
    for (const [index, each] of skills.entries()) {
      // The same one, by another object.
      expect(pinned.textOf(each)).toBe(index === 5 ? '0' : undefined)
      pinned.rememberText(each, String(index))
    }
    expect(skills.map((each) => pinned.textOf(each))).toEqual(skills.map((_, index) => String(index === 0 ? 5 : index)))
  })
})
