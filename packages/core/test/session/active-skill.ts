import type { ActiveSkill } from '../../src/adapter.ts'

/** A skill as a session's state keeps it. */
export function activeSkill(name: string, more: Partial<ActiveSkill> = {}): ActiveSkill {
  return { name, layer: 'project', source: 's', location: `/skills/${name}`, digest: 'd', scripts: [], ...more }
}
