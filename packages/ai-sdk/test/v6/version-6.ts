import { registerHooks } from 'node:module'

/**
 * Imported before everything else in a process: the sources of this package find version 6 of the AI SDK and of its
 * providers, as they do in a project that has installed it.
 */
registerHooks({
  resolve(specifier, context, next) {
    const isOwn =
      context.parentURL?.includes('/packages/ai-sdk/') === true && !context.parentURL.includes('/node_modules/')
    return next(isOwn ? specifier.replace(/^ai$/, 'ai-6').replace(/^@ai-sdk\//, 'ai-6-') : specifier, context)
  },
})
