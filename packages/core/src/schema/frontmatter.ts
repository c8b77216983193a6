import type { z } from 'zod'
import { FIELDS, findMisspelled } from '../manifest/fields/fields.ts'
import { findHidden } from '../manifest/hidden.ts'
import type { Profile } from '../ports/manifest.ts'
import { createShapeReader, type Zod } from './shapes.ts'

/** A frontmatter as YAML gives it: its keys are those of the file. */
export type FrontmatterSchema = z.ZodType<Readonly<Record<string, unknown>>>

const REQUIRED: ReadonlySet<string> = new Set(['name', 'description'])

/**
 * The zod schema of a frontmatter, made of the same data that the parser's rules go by. What it takes, the parser reads
 * without an error or a warning, but for what a value alone does not tell: whether the name is the folder's, whether
 * other clients accept its letters, and whether a text could be taken for a date where it stands without quotes. zod is
 * imported by the first call.
 * @param profile `strict` takes the standard's fields alone; default `default`
 */
export async function loadFrontmatterSchema(profile: Profile = 'default'): Promise<FrontmatterSchema> {
  return frontmatterSchema(await import('zod'), profile)
}

/**
 * The same as JSON Schema, draft 7, which is what editors read. It cannot say all that the zod schema says: the grammar
 * of tool rules, and characters that are not shown, are the parser's alone to judge.
 * @param profile see `loadFrontmatterSchema`
 */
export async function frontmatterJsonSchema(profile: Profile = 'default'): Promise<Readonly<Record<string, unknown>>> {
  const zod = await import('zod')
  return zod.z.toJSONSchema(frontmatterSchema(zod, profile), { target: 'draft-7' })
}

function frontmatterSchema(zod: Zod, profile: Profile): FrontmatterSchema {
  const { z: build } = zod
  const read = createShapeReader(zod)
  const fields: Record<string, z.ZodType> = {}
  for (const [key, field] of FIELDS) {
    if (profile === 'strict' && field.origin !== 'standard') continue
    const schema = read(field.shape).meta({ description: field.summary })
    fields[key] = REQUIRED.has(key) ? schema : schema.optional()
  }
  const root = profile === 'strict' ? build.strictObject(fields) : build.looseObject(fields)
  return root
    .refine((value) => Object.keys(value).every((key) => findMisspelled(key) === undefined), {
      error: 'A key is another spelling of a known field.',
    })
    .refine((value) => Object.entries(value).every(isShown), { error: 'A text holds characters that are not shown.' })
    .refine((value) => value['agent'] === undefined || value['context'] === 'fork', {
      path: ['agent'],
      error: 'It has an effect only with "context: fork".',
    })
    .meta({
      title: 'Frontmatter of a SKILL.md',
      ...(profile !== 'strict' && {
        anyOf: [
          { not: { required: ['agent'] } },
          { required: ['context'], properties: { context: { const: 'fork' } } },
        ],
      }),
    })
}

/** Where a field's rule looks for hidden characters itself, its shape does too. */
function isShown([key, value]: readonly [string, unknown]): boolean {
  return !holdsHidden(key) && (FIELDS.get(key)?.looksForHidden === true || !holdsHidden(value))
}

function holdsHidden(value: unknown): boolean {
  if (typeof value === 'string') return findHidden(value) !== undefined
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, inner]) => holdsHidden(key) || holdsHidden(inner))
}
