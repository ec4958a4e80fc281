/** What a check of the doctor has found: a sentence, or what is wrong and what to do. */
export type Finding = string | { readonly wrong: string; readonly todo: string }
