// Saves the picture of the flow as a file, with its legend.
import { announce, h, s, save } from '../shared/dom.ts';
import type { LegendEntry, Size } from './picture.ts';

const MARGIN = 14;

/** Saves a drawing as SVG. */
export const saveSvg = (svg: SVGElement, size: Size, entries: readonly LegendEntry[]): void =>
  save('flow.svg', standalone(svg, size, entries), 'image/svg+xml');

/** Saves a drawing as PNG, at twice its size but at most 8,000 pixels wide or high. */
export async function savePng(svg: SVGElement, size: Size, entries: readonly LegendEntry[]): Promise<void> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standalone(svg, size, entries))}`;
  try {
    await image.decode();
    const canvas = h('canvas', {});
    const scale = Math.min(2, 8000 / Math.max(image.naturalWidth, image.naturalHeight));
    [canvas.width, canvas.height] = [image.naturalWidth * scale, image.naturalHeight * scale];
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    if (blob === null) throw new Error('no picture');
    save('flow.png', blob, 'image/png');
    announce('flow.png is saved');
  } catch {
    announce('The picture could not be made');
  }
}

/** A copy of the drawing that needs no style sheet: its colours are attributes, its legend is part of it. */
function standalone(svg: SVGElement, size: Size, entries: readonly LegendEntry[]): string {
  const copy = svg.cloneNode(true) as SVGElement;
  const properties = [
    'fill',
    'stroke',
    'stroke-width',
    'stroke-opacity',
    'fill-opacity',
    'font-family',
    'font-size',
    'font-weight',
    'opacity',
    'stroke-linecap',
    'stroke-dasharray',
  ];
  const originals = svg.querySelectorAll('*');
  copy.querySelectorAll('*').forEach((node, index) => {
    const style = getComputedStyle(originals[index]!);
    for (const property of properties) node.setAttribute(property, style.getPropertyValue(property));
    for (const name of ['class', 'tabindex', 'role', 'aria-hidden']) node.removeAttribute(name);
  });
  const { color, backgroundColor, fontFamily } = getComputedStyle(svg);
  const ground = getComputedStyle(document.body).backgroundColor ?? backgroundColor;
  // The legend goes below, on as many lines as it needs.
  let [x, y] = [size.left + MARGIN, size.top + size.height + 10];
  const legend = entries.map(({ words, kind }, at) => {
    const wide = words.length * 6.4 + 40;
    if (x + wide > size.left + size.width && x > size.left + MARGIN) [x, y] = [size.left + MARGIN, y + 20];
    const dot = document.querySelectorAll('.legend.strands li > span')[at];
    const colour = dot === undefined ? color : getComputedStyle(dot).backgroundColor;
    const part = s(
      'g',
      {},
      s('rect', { x, y: kind === 'sleeve-dot' ? y - 5 : y - 2, width: 16, height: kind === 'sleeve-dot' ? 10 : 4, rx: 2, fill: colour }),
      s('text', { x: x + 22, y: y + 4, fill: color, 'font-family': fontFamily, 'font-size': 11 }, words),
    );
    x += wide;
    return part;
  });
  const height = y + 24 - size.top;
  copy.append(...legend);
  copy.prepend(s('rect', { x: size.left, y: size.top, width: size.width, height, fill: ground }));
  copy.removeAttribute('style');
  copy.removeAttribute('class');
  copy.setAttribute('viewBox', `${size.left} ${size.top} ${size.width} ${height}`);
  copy.setAttribute('width', String(size.width));
  copy.setAttribute('height', String(height));
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return new XMLSerializer().serializeToString(copy);
}
