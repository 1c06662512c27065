// What the build makes beside the scripts: the engine, which is made by wasm-bindgen of worker/src/lib.rs, and the migrations as statements.
declare module '*.wasm' {
  const module: WebAssembly.Module;
  export default module;
}

declare module 'engine' {
  export function __wbg_reset_state(): void;
  export function initSync(options: { readonly module: WebAssembly.Module }): void;
  export function fetch(request: Request, env: object, context: ExecutionContext): Promise<Response>;
  export function scheduled(event: ScheduledController, env: object, context: ExecutionContext): Promise<void>;
  /** Gives leaves to all events without one. Returns whether all have one. */
  export function grow(env: object): Promise<boolean>;
  /** Asks the witnesses of the log. */
  export function cosign(env: object): Promise<void>;
}

declare module 'migrations' {
  const migrations: readonly (readonly string[])[];
  export default migrations;
}
