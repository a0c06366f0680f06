// One burst of confetti on its own canvas, in the page's colours.
const PIECES = 120;
const SECONDS = 2.2;
const GRAVITY = 900;

export function burst(): void {
  const canvas = document.createElement('canvas');
  canvas.className = 'confetti';
  canvas.setAttribute('aria-hidden', 'true');
  canvas.width = innerWidth;
  canvas.height = innerHeight;
  const context = canvas.getContext('2d');
  if (context === null) return;
  document.body.append(canvas);
  const style = getComputedStyle(document.body);
  const colours = ['#ffc65c', '#3ddc97', '#7aa7ff', style.color];
  const pieces = Array.from({ length: PIECES }, (_, index) => {
    const angle = -Math.PI / 2 + (Math.random() - 0.5) * 1.6;
    const speed = 420 + Math.random() * 620;
    return {
      colour: colours[index % colours.length] ?? style.color,
      x: innerWidth / 2,
      y: innerHeight * 0.55,
      vx: Math.cos(angle) * speed,
      vy: Math.sin(angle) * speed,
      turn: Math.random() * 6,
      size: 5 + Math.random() * 6,
    };
  });
  const started = performance.now();
  const draw = (now: number) => {
    const time = (now - started) / 1_000;
    if (time > SECONDS) {
      canvas.remove();
      return;
    }
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.globalAlpha = Math.min(1, (SECONDS - time) * 2);
    for (const { colour, x, y, vx, vy, turn, size } of pieces) {
      context.save();
      context.translate(x + vx * time, y + vy * time + (GRAVITY * time * time) / 2);
      context.rotate(turn * time * 2);
      context.fillStyle = colour;
      context.fillRect(-size / 2, -size / 4, size, size / 2);
      context.restore();
    }
    requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
}
