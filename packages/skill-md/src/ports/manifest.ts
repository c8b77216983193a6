/**
 * How strictly a manifest is read. `strict`: exactly by the standard. `default`: a deviation that leaves the skill
 * usable is a warning. `lenient`: every manifest with an unambiguous meaning is loaded.
 */
export type Profile = 'strict' | 'default' | 'lenient'

/** The kind of a skill's body: text for the model, a plan, a script, or a template. */
export type SkillType = 'instruction' | 'composite' | 'script' | 'template'

/** One step of a plan. */
export interface CompositeStep {
  /** The host's tool that the step calls. */
  readonly tool: string
  /** The tool's input: `{}` if the author wrote none. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** The step's purpose. */
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
      /** The steps in their order, at least one. */
      readonly steps: readonly CompositeStep[]
    }
  | {
      readonly type: 'script'
      readonly script: string
      /** As the author wrote it: `bash`, `python`. */
      readonly language?: string
    }
  | { readonly type: 'template'; readonly template: string }

/** Whether a skill is in use: only `active` ones are listed. */
export type SkillStatus = 'active' | 'draft' | 'disabled'

/** One entry of `allowed-tools`: a tool's name, and a pattern if only some calls of the tool are allowed. */
export interface ToolRule {
  readonly tool: string
  /** The text between the parentheses, as written. Absent: all calls of the tool. */
  readonly pattern?: string
}

/** The typed frontmatter of a SKILL.md. Fields that the author left out are absent or have the default named here. */
export interface Manifest {
  readonly name: string
  readonly description: string
  readonly license?: string
  readonly compatibility?: string
  readonly metadata: Readonly<Record<string, string>>
  /** The rules that say which calls are allowed. Empty: only the skill tools. Absent: nothing is restricted. */
  readonly allowedTools?: readonly ToolRule[]
  /** What the skill is made of. Default `instruction`. */
  readonly type: SkillType
  /** Whether the skill is in use. Default `active`. */
  readonly status: SkillStatus
  readonly model?: string
  /** Whether the skill works in the conversation or in a sub-agent. Default `inherit`. */
  readonly context: 'inherit' | 'fork'
  /** The kind of sub-agent, only with `context: fork`. */
  readonly agent?: string
  readonly hooks: Readonly<{ pre: readonly string[]; post: readonly string[] }>
  /** Integer, default 0. Decides between skills with the same name in the same layer: the highest wins. */
  readonly priority: number
  readonly tags: readonly string[]
  readonly scope: Readonly<{
    agents?: readonly string[]
    tenants?: readonly string[]
    environments?: readonly string[]
  }>
  /** The skill's parameters, as the JSON Schema of an object. For templates, scripts and composites. */
  readonly parameters?: Readonly<Record<string, unknown>>
  /** Where an imported skill came from, by its lock or store, or else by its file. Absent: it is local. */
  readonly source?: string
  /** Who or what made it: a person, `import`, a program. */
  readonly createdBy?: string
  /** Tools that it brings, each as `module:Export`. */
  readonly toolsets: readonly string[]
  /** When it is suggested. Patterns are RE2 expressions, which run in linear time. */
  readonly triggers: Readonly<{
    keywords: readonly string[]
    verbs: readonly string[]
    patterns: readonly string[]
  }>
  /** The form of its arguments, for a person who types them: `[file] [mode]`. */
  readonly argumentHint?: string
  /** The names of its arguments, in their order: `$name` in the body is the one at that place. */
  readonly arguments?: readonly string[]
  /** More on when to use it; listed after the description. */
  readonly whenToUse?: string
  /**
   * Whether only a person may see and activate it, not a model. In a catalog, also if `agents/openai.yaml` beside
   * SKILL.md says so. Default false.
   */
  readonly disableModelInvocation: boolean
  /** Whether people may activate it. False: it is offered only to models. Default true. */
  readonly userInvocable: boolean
  /** Tools that may not be used while the skill is active, even if other rules allow them. Absent: none. */
  readonly disallowedTools?: readonly ToolRule[]
  /** All other top-level fields, as parsed. They are kept and reported but have no effect. */
  readonly extra: Readonly<Record<string, unknown>>
}

/** The file beside SKILL.md in which Codex keeps its own settings. Only the policy on invocation is read. */
export const AGENT_FILE = 'agents/openai.yaml'

/** The content of a SKILL.md. A `SkillDocument` with a manifest is one. */
export interface SkillContent {
  /** What the frontmatter says. Only name and description are required; other properties have defaults. */
  readonly manifest: Pick<Manifest, 'name' | 'description'> & Partial<Manifest>
  /** The text after the frontmatter, written unchanged. */
  readonly body?: string
  /** What the body defines. If `body` is given too, it must hold this definition. */
  readonly definition?: SkillDefinition
  /**
   * The whole file, if it is to be written as it is. It must read as what is given beside it. Absent: it is rendered.
   */
  readonly text?: string
}

/** All defaults, shared by manifests, since most skills leave out most fields. Not a valid manifest: it has no name. */
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

/** The profiles, the strictest first. */
export const PROFILES: readonly Profile[] = ['strict', 'default', 'lenient']

/**
 * Returns a manifest with the origin that a lock or a store has for the skill. What the file says about its source is
 * only a claim of its author.
 * @param origin absent: the manifest stays as it is
 */
export function withOrigin(manifest: Manifest, origin: string | undefined): Manifest {
  return origin === undefined ? manifest : { ...manifest, source: origin, createdBy: 'import' }
}
