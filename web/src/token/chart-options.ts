import { TickMarkType, type DeepPartial, type Time, type TimeChartOptions } from 'lightweight-charts';
import { MONTHS } from '../english-numbers.js';

export function chartOptions(interval: number): DeepPartial<TimeChartOptions> {
  return {
    autoSize: true,
    layout: {
      background: { color: 'transparent' },
      fontFamily: "Inter, 'Inter Fallback', sans-serif",
      fontSize: 11,
      // The library's logo needs an inline style. The page names TradingView as text instead.
      attributionLogo: false,
    },
    grid: { vertLines: { visible: false } },
    timeScale: {
      timeVisible: interval < 86_400,
      secondsVisible: interval < 60,
      borderVisible: false,
      barSpacing: 10,
      minBarSpacing: 2,
      tickMarkFormatter: tickText,
    },
    rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.08, bottom: 0.2 } },
    handleScroll: { vertTouchDrag: false },
  };
}

/** As the library writes it, without the slow first use of `Intl`. */
function tickText(time: Time, type: TickMarkType): string {
  const at = new Date(Number(time) * 1_000);
  const text = at.toISOString();
  switch (type) {
    case TickMarkType.Year:
      return text.slice(0, 4);
    case TickMarkType.Month:
      return MONTHS[at.getUTCMonth()]!;
    case TickMarkType.DayOfMonth:
      return String(at.getUTCDate());
    case TickMarkType.Time:
      return text.slice(11, 16);
    case TickMarkType.TimeWithSeconds:
      return text.slice(11, 19);
  }
}

/** Colours of the current theme. A canvas cannot use CSS variables. */
export function chartColours(element: Element) {
  const colour = (name: string) => resolved(element, `var(${name})`);
  const line = colour('--line');
  const strong = colour('--line-strong');
  const options: DeepPartial<TimeChartOptions> = {
    layout: { textColor: colour('--muted') },
    grid: { horzLines: { color: line } },
    crosshair: {
      vertLine: { color: strong, labelBackgroundColor: strong },
      horzLine: { color: strong, labelBackgroundColor: strong },
    },
  };
  return { up: colour('--up'), down: colour('--down'), options };
}

function resolved(element: Element, value: string): string {
  const probe = document.createElement('span');
  // With forced colours, every text has the same one.
  probe.style.forcedColorAdjust = 'none';
  probe.style.color = value;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
