declare module 'virtual:shelf' {
  export const shelf: import('../plugin/shelf.ts').Shelved[]
}
