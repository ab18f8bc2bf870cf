// The menu of M-TEST-001: a small bistro with accents, a euro sign, long names, three stations and modifiers.

export interface FixtureItem {
  umsId: string
  name: string
  kind: 'item' | 'modifier'
  priceCents: number | null
  prepMinutes: number | null
  /** Null goes to the default printer. */
  station: string | null
}

function item(umsId: string, name: string, priceCents: number, station: string, prepMinutes: number): FixtureItem {
  return { umsId, name, kind: 'item', priceCents, prepMinutes, station }
}

function modifier(umsId: string, name: string): FixtureItem {
  return { umsId, name, kind: 'modifier', priceCents: null, prepMinutes: null, station: null }
}

export const BISTRO_MENU: readonly FixtureItem[] = [
  item('UMS-BURGER-01', 'Smash Burger', 1250, 'grill', 10),
  item('UMS-FRIES-01', 'Pommes Frites', 450, 'fry', 6),
  item('UMS-STEAK-01', 'Entrecôte Béarnaise', 2890, 'grill', 18),
  item('UMS-CHICKEN-01', 'Poulet Rôti', 1890, 'grill', 22),
  item('UMS-TACOS-01', 'Tacos al Jalapeño (3)', 1195, 'grill', 9),
  item('UMS-SALAD-01', 'Salade Niçoise', 1390, 'cold', 7),
  item('UMS-SOUP-01', 'Soupe à l’Oignon Gratinée', 895, 'fry', 8),
  item('UMS-WINGS-01', 'Slow Smoked Chicken Wings with Blue Cheese Dip and Celery', 1350, 'fry', 14),
  item('UMS-BRULEE-01', 'Crème brûlée', 795, 'cold', 4),
  item('UMS-CAKE-01', 'Süße Apfeltörtchen', 695, 'cold', 3),
  item('UMS-COFFEE-01', 'Café crème', 375, 'bar', 2),
  item('UMS-COCKTAIL-01', 'Happy Hour €5 Spritz', 500, 'bar', 3),
  modifier('UMS-MOD-CHEESE', 'Extra Cheese'),
  modifier('UMS-MOD-NOONION', 'No Onions'),
  modifier('UMS-MOD-RARE', 'Rare (saignant)'),
  modifier('UMS-MOD-OATMILK', 'Oat Milk'),
  modifier('UMS-MOD-GLUTENFREE', 'Gluten Free Bun'),
]
