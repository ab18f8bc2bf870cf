// The menu of M-TEST-001: a small bistro with accents, a euro sign, long names, three stations and modifiers.
import type { MenuItem } from '#cloud/catalog/menu-item.ts'

type Made = Pick<MenuItem, 'priceCents' | 'prepMinutes' | 'station' | 'category'>

function item(umsId: string, name: string, made: Made): MenuItem {
  return { umsId, name, kind: 'item', ...made }
}

function modifier(umsId: string, name: string): MenuItem {
  return { umsId, name, kind: 'modifier', priceCents: null, prepMinutes: null, station: null, category: null }
}

export const BISTRO_MENU: readonly MenuItem[] = [
  item('UMS-BURGER-01', 'Smash Burger', { priceCents: 1250, prepMinutes: 10, station: 'grill', category: 'Mains' }),
  item('UMS-FRIES-01', 'Pommes Frites', { priceCents: 450, prepMinutes: 6, station: 'fry', category: 'Sides' }),
  item('UMS-STEAK-01', 'Entrecôte Béarnaise', {
    priceCents: 2890,
    prepMinutes: 18,
    station: 'grill',
    category: 'Mains',
  }),
  item('UMS-CHICKEN-01', 'Poulet Rôti', { priceCents: 1890, prepMinutes: 22, station: 'grill', category: 'Mains' }),
  item('UMS-TACOS-01', 'Tacos al Jalapeño (3)', {
    priceCents: 1195,
    prepMinutes: 9,
    station: 'grill',
    category: 'Mains',
  }),
  item('UMS-SALAD-01', 'Salade Niçoise', { priceCents: 1390, prepMinutes: 7, station: 'cold', category: 'Starters' }),
  item('UMS-SOUP-01', 'Soupe à l’Oignon Gratinée', {
    priceCents: 895,
    prepMinutes: 8,
    station: 'fry',
    category: 'Starters',
  }),
  item('UMS-WINGS-01', 'Slow Smoked Chicken Wings with Blue Cheese Dip and Celery', {
    priceCents: 1350,
    prepMinutes: 14,
    station: 'fry',
    category: 'Starters',
  }),
  item('UMS-BRULEE-01', 'Crème brûlée', { priceCents: 795, prepMinutes: 4, station: 'cold', category: 'Desserts' }),
  item('UMS-CAKE-01', 'Süße Apfeltörtchen', { priceCents: 695, prepMinutes: 3, station: 'cold', category: 'Desserts' }),
  item('UMS-COFFEE-01', 'Café crème', { priceCents: 375, prepMinutes: 2, station: 'bar', category: 'Drinks' }),
  item('UMS-COCKTAIL-01', 'Happy Hour €5 Spritz', {
    priceCents: 500,
    prepMinutes: 3,
    station: 'bar',
    category: 'Drinks',
  }),
  modifier('UMS-MOD-CHEESE', 'Extra Cheese'),
  modifier('UMS-MOD-NOONION', 'No Onions'),
  modifier('UMS-MOD-RARE', 'Rare (saignant)'),
  modifier('UMS-MOD-OATMILK', 'Oat Milk'),
  modifier('UMS-MOD-GLUTENFREE', 'Gluten Free Bun'),
]
