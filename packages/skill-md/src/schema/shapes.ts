import type { z } from 'zod'
import { parseAllowedTools } from '../fields/allowed-tools.ts'
import { countCodePoints } from '../fields/name.ts'
import { PARAMETER_KEYWORDS, PARAMETER_TYPES, SHORT_FORM_NAME } from '../fields/parameters.ts'
import type { Profile } from '../ports/manifest.ts'
import type { Shape, TextShape } from '../fields/field.ts'
import { normalForm } from '../text/normal-form.ts'

/** The zod package, passed as an argument because it is loaded only when a schema is requested. */
export type Zod = typeof import('zod')

/** Parentheses in each other, as deep as a pattern of a rule may reasonably have them. */
const BALANCED = Array.from({ length: 6 }).reduce<string>((inner) => `[^()]*(?:\\(${inner}\\)[^()]*)*`, '[^()]*')

/** One tool rule as a regular expression. Only `parseAllowedTools` knows the whole grammar. */
const RULE = String.raw`(?:mcp__[\w.:/-]+__[\w.:/-]*\*|[A-Za-z_][\w.:/-]*)(?:\((?!\s)(?!:\*\))(?=[^)]*\S)(?!(?:[^()]|\([^()]*\))*:\*\s)${BALANCED}(?<!\s)\))?`

/** Returns a function from shapes to zod schemas. If JSON Schema can express a refinement, it is added as metadata. */
export function createShapeReader({ z: build }: Zod, profile: Profile): (shape: Shape) => z.ZodType {
  const scalar = build.union([build.string(), build.number(), build.boolean(), build.null()])
  const filled = text({ kind: 'text', min: 1 })

  function read(shape: Shape): z.ZodType {
    switch (shape.kind) {
      case 'text':
        return text(shape)
      case 'choice':
        return build.enum(shape.values as [string, ...string[]])
      case 'integer':
        return build.int()
      case 'flag':
        return build.boolean()
      case 'spellings':
        return build.record(build.string(), profile === 'strict' ? build.string() : scalar)
      case 'words':
        return build.union([build.string(), build.array(scalar)])
      case 'texts': {
        const item = text({ ...shape, kind: 'text', min: 1 })
        return build.union([item, build.array(item)])
      }
      case 'rules':
        return shape.lists ? build.union([rules(true), build.array(rule())]) : rules(false)
      case 'mapping':
        return mapping(shape)
      case 'either':
        return build.union(shape.shapes.map(read) as [z.ZodType, z.ZodType])
      case 'parameters':
        return parameters()
      case 'hint':
        break
    }
    return build.union([filled, build.array(scalar).min(1)])
  }

  /** Lengths are in code points, as in JSON Schema; zod counts code units. */
  function text({ min, max = Infinity, pattern, normalized }: TextShape): z.ZodString {
    const schema = build
      .string()
      .refine((value) => (min === undefined || value.trim() !== '') && countCodePoints(value.trim()) <= max)
      .refine((value) => normalized === undefined || normalForm(value, normalized) === value)
      .meta({
        minLength: min,
        ...(max !== Infinity && { maxLength: max }),
        ...(min !== undefined && pattern === undefined && { pattern: String.raw`\S` }),
      })
    return pattern === undefined ? schema : schema.regex(new RegExp(pattern, 'u'))
  }

  function rules(commas: boolean): z.ZodType {
    const between = commas ? '[ \\t\\r\\n,]' : '[ \\t\\r\\n]'
    return build
      .string()
      .refine((value) => {
        const result = parseAllowedTools(value)
        return result.ok && (commas || !result.commas)
      })
      .meta({ pattern: `^${between}*(?:${RULE}(?:${between}+${RULE})*)?${between}*$` })
  }

  function rule(): z.ZodType {
    return build
      .string()
      .refine((value) => parseAllowedTools([value]).ok)
      .meta({ pattern: `^[ \\t\\r\\n]*${RULE}[ \\t\\r\\n]*$` })
  }

  function mapping({ entries, min }: Extract<Shape, { kind: 'mapping' }>): z.ZodType {
    const parts = Object.entries(entries).map(([key, shape]) => [key, read(shape).nullable().optional()] as const)
    return build
      .strictObject(Object.fromEntries(parts))
      .refine((value) => Object.keys(value).length >= min)
      .meta(min > 0 ? { minProperties: min } : {})
  }

  function parameters(): z.ZodType {
    const type = build.enum(PARAMETER_TYPES)
    const schema = build
      .looseObject({
        type: build.literal('object').optional(),
        properties: build.record(build.string(), build.union([build.looseObject({}), build.boolean()])).optional(),
        required: build.array(build.string()).optional(),
      })
      .refine((value) => value.type !== undefined || value.properties !== undefined)
      .meta({ anyOf: [{ required: ['type'] }, { required: ['properties'] }] })
    const parameter = build
      .looseObject({
        type: build.union([type, build.array(type)]).optional(),
        required: build.union([build.boolean(), build.array(build.string())]).optional(),
      })
      .refine((value) => PARAMETER_KEYWORDS.some((keyword) => Object.hasOwn(value, keyword)))
      .meta({ anyOf: PARAMETER_KEYWORDS.map((keyword) => ({ required: [keyword] })) })
    const name = build.string().regex(new RegExp(SHORT_FORM_NAME, 'u'))
    return build.union([schema, build.record(name, build.union([type, parameter]))])
  }

  return read
}
