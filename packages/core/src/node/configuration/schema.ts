import * as z from 'zod'
import { SEARCH_MODES } from '../../tools/definitions.ts'
import { LISTING_STYLES } from '../../tools/styles.ts'
import {
  type ProgramPolicy,
  type HostToolsOptions,
  openToolTable,
  resolveGate,
  type HostTools,
  type ToolArgument,
} from '@repertoire/gate/internal'
import { readAdmission } from '../../catalog/admission.ts'
import type { Profile, Layer } from '@repertoire/skill-md/internal'
import type { ConfigurationSettings } from './settings.ts'

/** An enumeration of all names of a union type: a missing one does not compile. */
function oneOf<T extends string>(names: Record<T, true>): z.ZodEnum<{ [K in T]: K }> {
  return z.enum(Object.keys(names)) as unknown as z.ZodEnum<{ [K in T]: K }>
}

const layer = oneOf<Layer>({ enterprise: true, personal: true, project: true, plugin: true, bundled: true })
const profile = oneOf<Profile>({ strict: true, default: true, lenient: true })
const style = z.enum(LISTING_STYLES)
const text = z.string().min(1)
const paths = z.array(text)
const folders = z.union([z.literal(false), paths])
const isDistinct = (values: readonly unknown[]): boolean => new Set(values).size === values.length
const milliseconds = z.number().nonnegative()

const budget = {
  window: z.number().positive().optional(),
  share: z.number().positive().max(1).optional(),
  keep: z.array(text).optional().meta({ description: 'The skills that are cut last, the most important first.' }),
}

const rules = z.array(text)

const admit = z
  .strictObject({
    tools: rules.optional().meta({ description: 'Rules that a skill may at most name in allowed-tools.' }),
    withoutAllowedTools: z
      .union([z.enum(['everything', 'nothing']), rules])
      .optional()
      .meta({ description: 'What a skill without allowed-tools gets. Default: `tools`, or everything.' }),
    scripts: z.boolean().optional().meta({ description: 'Whether a skill may carry what can be run.' }),
    hooks: z.boolean().optional().meta({ description: 'Whether a skill may have hooks.' }),
  })
  .superRefine((value, context) => {
    try {
      readAdmission(value)
    } catch (error) {
      const reason = `cannot be read: ${(error as TypeError).message.replace(/[.]$/, '')}`
      context.addIssue({ code: 'custom', message: reason, params: { reason } })
    }
  })

const ask = rules.superRefine((value, context) => {
  try {
    resolveGate({ policy: { ask: value } })
  } catch (error) {
    const reason = `cannot be read: ${(error as TypeError).message.replace(/[.]$/, '')}`
    context.addIssue({ code: 'custom', message: reason, params: { reason } })
  }
})

const roots = z.strictObject({
  enterprise: folders.optional().meta({ description: 'Folders of the enterprise layer, absolute; false: none.' }),
  personal: folders.optional().meta({ description: 'Folders of the personal layer; false: none.' }),
  project: folders
    .optional()
    .meta({ description: 'Folders of the project layer, relative to the project; false: none.' }),
  plugin: folders.optional().meta({ description: 'Folders of the plugin layer, beside packages; false: none.' }),
  bundled: z
    .union([z.boolean(), paths])
    .optional()
    .meta({ description: 'Whether the skills that ship with the library are there; or the folders of that layer.' }),
})

const hostTool = z.strictObject({
  as: z
    .union([text, z.array(text).min(1), z.record(z.string(), text)])
    .optional()
    .meta({ description: 'The name that rules use for it, a list of names, or with "by" one name for each value.' }),
  by: text.optional().meta({ description: 'The argument whose value tells what a call does.' }),
  shared: z.boolean().optional().meta({ description: 'Whether other tools may map to the same name.' }),
  argument: z
    .union([text, z.array(text).min(1)])
    .optional()
    .meta({ description: 'The property of the input that patterns are compared with.' }),
  kind: oneOf<ToolArgument['kind']>({ shell: true, path: true, url: true, sql: true, text: true }).optional(),
  reads: z
    .union([z.boolean(), z.literal('below')])
    .optional()
    .meta({ description: 'Whether the tool shows the content of a file; below: of files in a folder too.' }),
  shell: z
    .enum(['posix', 'other'])
    .optional()
    .meta({ description: 'What reads the commands of a tool that runs them.' }),
  harmless: z
    .array(text)
    .optional()
    .meta({ description: 'Other arguments of a tool that runs commands, which change nothing about them.' }),
  program: z.strictObject({ name: text, args: text }).optional().meta({
    description: 'The properties of a tool that starts a program without a shell: the program, its arguments.',
  }),
  root: z
    .union([z.literal(false), text])
    .optional()
    .meta({ description: 'The folder that this tool sees as its working folder.' }),
})

/** What contradicts itself is an issue of the setting, with the message that code would get. */
function checkTools(options: HostToolsOptions, context: z.RefinementCtx): void {
  try {
    openToolTable(options)
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
  }
}

function checkTable(tools: unknown, context: z.RefinementCtx): void {
  checkTools({ toolMap: tools as HostTools }, context)
}

const settings = {
  enabled: z.boolean().optional().meta({ description: 'False: no skill is loaded and no tool registered.' }),
  profile: profile.optional().meta({ description: 'How strictly a manifest is read.' }),
  style: style.optional().meta({ description: 'Where and how skills are listed.' }),
  search: z.enum(SEARCH_MODES).optional().meta({ description: 'When a model is offered a search for skills.' }),
  listingBudget: z
    .union([z.literal(false), z.strictObject(budget)])
    .optional()
    .meta({ description: 'How much of the context window the list may take; false: as much as it needs.' }),
  contextWindow: z.number().positive().optional().meta({
    description: 'The context window of the model, in tokens. Conversations are then kept within it.',
  }),
  admit: admit.optional().meta({ description: 'Which skills may load at all, by what they ask for.' }),
  layers: z
    .array(layer)
    .min(1)
    .refine(isDistinct)
    .optional()
    .meta({ description: 'Which layer goes first.', uniqueItems: true }),
  collision: oneOf<'first' | 'last'>({ first: true, last: true })
    .optional()
    .meta({ description: 'Which of two skills of one name, layer and priority is used.' }),
  programs: oneOf<ProgramPolicy>({ any: true, known: true }).optional().meta({
    description:
      'Which programs the rules of skills may permit: any, or only known programs that do not run other code.',
  }),
  ask: ask.optional().meta({ description: 'Rules of calls that need consent each time that they are made.' }),
  roots: roots.optional().meta({ description: 'Folders that hold skills, by layer, instead of the usual ones.' }),
  toolMap: z
    .record(text, z.union([z.literal(false), text, hostTool]))
    .superRefine(checkTable)
    .optional()
    .meta({ description: "The host's tools by name: what each stands for in the rules of skills, such as Bash." }),
  toolRoot: text
    .superRefine((toolRoot, context) => checkTools({ toolRoot }, context))
    .optional()
    .meta({
      description: 'The working folder of file tools that see their own files.',
    }),
  skillsDir: text
    .optional()
    .meta({ description: 'The folder of skills that is read, in place of the usual personal ones, and written to.' }),
  writeRoot: z
    .union([z.literal(false), text])
    .optional()
    .meta({ description: 'The folder that skills are written to; false: none.' }),
  folders: paths.optional().meta({ description: 'Where skills are kept in the home folder and in a project.' }),
  packages: z.union([z.boolean(), paths]).optional().meta({
    description: 'Whether npm packages of the project may bring skills, or the names of these packages.',
  }),
  trustProject: z.boolean().optional().meta({ description: 'Whether skills of a project may be loaded.' }),
  followLinks: z.array(layer).optional().meta({ description: 'Layers whose skill folders may be links.' }),
  watch: z.boolean().optional().meta({ description: 'Whether changes of the folders are noticed at once.' }),
  cacheTtl: milliseconds.optional().meta({ description: 'How long what was read is kept, in milliseconds.' }),
  minReloadInterval: milliseconds
    .optional()
    .meta({ description: 'The least time between two reloads, in milliseconds.' }),
} as const

/** What a file or the environment may set. */
export const fileSchema = z.strictObject({
  $schema: z.string().optional(),
  ...settings,
}) as unknown as z.ZodType<ConfigurationSettings>

/** What code may set: additionally a function that counts tokens. */
export const codeSchema = z.strictObject({
  ...settings,
  listingBudget: z
    .union([
      z.literal(false),
      z.strictObject({ ...budget, countTokens: z.custom((value) => typeof value === 'function').optional() }),
    ])
    .optional(),
}) as unknown as z.ZodType<ConfigurationSettings>

/** The JSON Schema of a configuration file, for editors. */
export function configurationJsonSchema(): Readonly<Record<string, unknown>> {
  return { ...z.toJSONSchema(fileSchema), title: 'The configuration of Repertoire' }
}
