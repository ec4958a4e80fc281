/** What is sold, and for how much: integer yen including tax. */
export interface Product {
  readonly serviceClassId: number
  readonly path: string
  readonly name: string
  /** What the price is for: one of these of the thing that is counted. */
  readonly unitBytes: number
  readonly yenPerUnit: number
}

const GIB = 1024 ** 3

export const WEBACCEL_TRAFFIC: Product = {
  serviceClassId: 50_070,
  path: 'cloud/webaccel/traffic',
  name: 'Web accelerator traffic',
  unitBytes: GIB,
  yenPerUnit: 5,
}

/** A part of a yen is not charged. */
export function priceOf(product: Product, bytes: number): number {
  return Math.floor((bytes * product.yenPerUnit) / product.unitBytes)
}
