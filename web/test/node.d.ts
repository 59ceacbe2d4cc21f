// What the tests use of Node.
declare module "node:test" {
  export function test(name: string, run: () => void | Promise<void>): void
}
declare module "node:assert/strict" {
  export function equal(got: unknown, want: unknown, message?: string): void
  export function deepEqual(got: unknown, want: unknown, message?: string): void
  export function ok(got: unknown, message?: string): void
  export function throws(run: () => unknown, error?: unknown): void
  export function rejects(run: () => Promise<unknown>, error?: unknown): Promise<void>
}
declare module "node:fs" {
  export function existsSync(path: URL): boolean
}
declare module "node:module" {
  interface Context {
    parentURL?: string
  }
  interface Resolved {
    url: string
    shortCircuit?: boolean
  }
  type Next = (specifier: string, context: Context) => Resolved
  export function registerHooks(hooks: { resolve(specifier: string, context: Context, next: Next): Resolved }): void
}
