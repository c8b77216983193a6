/** A module that is imported when it is first needed. */
export interface LazyImport<Module> {
  /**
   * Absent: it is not imported yet. A call that finds it waits for nothing: `lazy.loaded === undefined ? await lazy.load() :
   * lazy.loaded`. With `??`, V8 counts the lines behind as run only where the import was waited for.
   */
  readonly loaded: Module | undefined
  readonly load: () => Promise<Module>
}

/** Where an import fails, the next one tries it again. */
export function lazyImport<Module>(importModule: () => Promise<Module>): LazyImport<Module> {
  let loading: Promise<Module> | undefined
  const lazy: { loaded: Module | undefined; readonly load: () => Promise<Module> } = {
    loaded: undefined,
    load() {
      if (loading === undefined) {
        loading = importModule()
        // Calls go on in their order: all wait for this one promise, and its first reaction lets later ones find the module.
        loading.then(
          (module) => (lazy.loaded = module),
          () => (loading = undefined),
        )
      }
      return loading
    },
  }
  return lazy
}
