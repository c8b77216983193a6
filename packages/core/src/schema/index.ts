/** The frontmatter as a zod schema and as JSON Schema, for tools and editors. Reading skills does not need them. */
export { frontmatterJsonSchema, loadFrontmatterSchema, type FrontmatterSchema } from '@repertoire/skill-md'
