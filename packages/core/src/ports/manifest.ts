/**
 * How strictly a manifest is read. `strict`: the standard to the letter. `default`: what leaves the skill usable
 * is a warning. `lenient`: whatever can be loaded with certainty is.
 */
export type Profile = 'strict' | 'default' | 'lenient'

/** What a skill's body is: text for the model, a plan, a script, or a template. */
export type SkillType = 'instruction' | 'composite' | 'script' | 'template'

/** One step of a plan. */
export interface CompositeStep {
  /** The host's tool that the step calls. */
  readonly tool: string
  /** The tool's input: `{}` where the author gave none. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** What the step is for. */
  readonly description?: string
}

/** What a skill's body defines, by the skill's type. */
export type SkillDefinition =
  | {
      readonly type: 'instruction'
      /** The whole body, byte for byte. */
      readonly content: string
    }
  | {
      readonly type: 'composite'
      /** At least one. */
      readonly steps: readonly CompositeStep[]
    }
  | {
      readonly type: 'script'
      readonly script: string
      /** As the author names it: `bash`, `python`. */
      readonly language?: string
    }
  | { readonly type: 'template'; readonly template: string }

/** Only `active` skills are listed. */
export type SkillStatus = 'active' | 'draft' | 'disabled'

/** One entry of `allowed-tools`: a tool's name and, where the right is narrower than the tool, a pattern. */
export interface ToolRule {
  readonly tool: string
  /** What stands between the parentheses, as written. Absent: the whole tool. */
  readonly pattern?: string
}

/** The typed frontmatter of a SKILL.md. Fields that the author left out are absent, or have the default named here. */
export interface Manifest {
  readonly name: string
  readonly description: string
  readonly license?: string
  readonly compatibility?: string
  readonly metadata: Readonly<Record<string, string>>
  /** Absent: nothing is restricted. Empty: nothing is allowed but the skill tools themselves. */
  readonly allowedTools?: readonly ToolRule[]
  /** Default `instruction`. */
  readonly type: SkillType
  /** Default `active`. */
  readonly status: SkillStatus
  readonly model?: string
  /** Default `inherit`. */
  readonly context: 'inherit' | 'fork'
  /** Only with `context: fork`. */
  readonly agent?: string
  readonly hooks: Readonly<{ pre: readonly string[]; post: readonly string[] }>
  /** Integer, default 0. Decides between skills of one name in one layer. */
  readonly priority: number
  readonly tags: readonly string[]
  readonly scope: Readonly<{
    agents?: readonly string[]
    tenants?: readonly string[]
    environments?: readonly string[]
  }>
  /** What the skill takes, as the JSON Schema of an object. Of a template, a script and a composite. */
  readonly parameters?: Readonly<Record<string, unknown>>
  /** Where an imported skill came from. Absent: it is local. */
  readonly source?: string
  /** Who or what made it: a person, `import`, a program. */
  readonly createdBy?: string
  /** Tools of its own that it brings, each `module:Export`. */
  readonly toolsets: readonly string[]
  /** When it suggests itself. Patterns are RE2 expressions: they run in linear time. */
  readonly triggers: Readonly<{
    keywords: readonly string[]
    verbs: readonly string[]
    patterns: readonly string[]
  }>
  /** How its arguments look, for a person who types them: `[file] [mode]`. */
  readonly argumentHint?: string
  /** More on when to use it; listed behind the description. */
  readonly whenToUse?: string
  /** Default false. True: no model is shown it or may activate it, only a person. */
  readonly disableModelInvocation: boolean
  /** Default true. False: no person is offered it, only a model. */
  readonly userInvocable: boolean
  /** What may not be used while the skill is active, whatever else allows it. Absent: nothing is taken away. */
  readonly disallowedTools?: readonly ToolRule[]
  /** Every other top-level field, as parsed. Kept and reported, never acted on. */
  readonly extra: Readonly<Record<string, unknown>>
}

/** Every default. Its parts are shared, since most skills leave most fields out. Not a skill: it has no name. */
export const DEFAULT_MANIFEST: Manifest = {
  name: '',
  description: '',
  metadata: Object.freeze({}),
  type: 'instruction',
  status: 'active',
  context: 'inherit',
  hooks: Object.freeze({ pre: Object.freeze([]), post: Object.freeze([]) }),
  priority: 0,
  tags: Object.freeze([]),
  scope: Object.freeze({}),
  toolsets: Object.freeze([]),
  triggers: Object.freeze({ keywords: Object.freeze([]), verbs: Object.freeze([]), patterns: Object.freeze([]) }),
  disableModelInvocation: false,
  userInvocable: true,
  extra: Object.freeze({}),
}
