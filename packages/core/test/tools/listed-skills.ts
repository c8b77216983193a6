import { foreign } from '@repertoire/test-servers/properties'
import type { Layer, Skill } from '../../src/index.ts'

/** What a test says of a skill. */
export interface Given {
  readonly description?: string
  readonly whenToUse?: string
  readonly layer?: Layer
  readonly priority?: number
}

/** A skill as a catalog lists it. */
export function skill(name: string, { layer = 'project', ...fields }: Given = {}): Skill {
  return {
    name,
    layer,
    source: 'memory',
    location: `/skills/${name}`,
    path: `/skills/${name}/SKILL.md`,
    folder: foreign(undefined),
    manifest: {
      name,
      description: `Does ${name}.`,
      metadata: {},
      type: 'instruction',
      status: 'active',
      context: 'inherit',
      hooks: { pre: [], post: [] },
      priority: 0,
      tags: [],
      scope: {},
      toolsets: [],
      triggers: { keywords: [], verbs: [], patterns: [] },
      disableModelInvocation: false,
      userInvocable: true,
      extra: {},
      ...fields,
    },
  }
}

/** A budget of so many tokens, where each character counts as one. */
export const characters = (tokens: number) => ({
  window: tokens,
  share: 1,
  countTokens: (text: string) => text.length,
})
