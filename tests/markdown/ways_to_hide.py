"""Ways in which a page hides a word, and others in which it only seems to: rules of a sheet, and a body
that says W once. "+" is seen in Chromium, "-" is not; a "!" behind it is where we are known to say
otherwise: what takes a layout, a state or a part of CSS that is not read."""

# Declarations of one element; what stands behind a "|" are rules.
STYLES = """
-  display:none;display:xyz
-  display:none;display:-moz-box
-  opacity:0;opacity:foo
-  visibility:hidden;visibility:shown
-  position:absolute;left:-9999px;left:5
-  position:absolute;left:-9999px;position:stuck
-  font-size:0;font-size:12
-  font-size:0;font-size:huge
-  color:#fff;color:notacolor
-  color:#fff;color:#12345
-  clip-path:inset(100%);clip-path:blob(3)
-  d\\69splay:none
-  display:n\\6f ne
-  display:/**/none
-  display/* x */:none
-  display:none/* x */
+  di/**/splay:none
-  display:none !important;display:block
-  display:none ! important;display:block
-  display:block;all:initial;display:none
+  display:none;all:unset
+  opacity:0;all:initial
-  opacity:0%
-  opacity:1%
+  opacity:50%
-  opacity:calc(0 * 1)
-  opacity:calc(1 - 1)
+  opacity:calc(.5 + .5)
-  opacity:max(0, -1)
-  opacity:-3
-  opacity:+0
-  opacity:0e5
-  opacity:1e-9
-  font-size:calc(1px - 1px)
-  font-size:calc(2px / 4)
-  font-size:clamp(0px, 1px, 2px)
+  font-size:clamp(12px, 1px, 20px)
-  font-size:min(1px, 20px)
+  font-size:max(1px, 20px)
+  font-size:calc(10px + 1em)
-! font-size:calc(1em * .05)
+  font-size:0.01em
+  font-size:5%
-  font-size:.05rem
-  font-size:0.1vw
-  font-size:1e-3px
+  font-size:xx-small
-  font-size:0.4mm
-  font-size:.1q
-  font:italic 0 serif
-  font:0px/2 monospace
-  font:calc(1px - 1px) serif
+  font:12px/1 monospace
-  zoom:.05
-  zoom:5%
+  zoom:.9
+  zoom:0
-  text-indent:-100vw
-  text-indent:calc(-1 * 9999px)
-  text-indent:100%;white-space:nowrap;overflow:hidden
-  text-indent:2000px;overflow:hidden;white-space:nowrap
+  text-indent:2em;overflow:hidden
-  text-indent:-200%;overflow:hidden
-  position:absolute;left:calc(0px - 9999px)
+  position:absolute;left:calc(100px - 80px)
-  position:absolute;left:max(-9999px, -8888px)
-  position:absolute;inset-inline-start:-9999px
-  position:absolute;inset-block-start:-9999px
-  position:absolute;inset-inline:-9999px auto
-  position:absolute;inset:-9999px auto auto
-  position:absolute;right:150vw
-  position:fixed;left:9999px
-  position:fixed;top:200vh
-  position:fixed;right:-9999px
-  position:fixed;bottom:-9999px
+  position:fixed;left:5px;top:5px
-  position:fixed;left:-100%;width:100%
-  position:fixed;left:0;transform:translateX(-100%)
+  position:absolute;left:40px;transform:translateX(-50%)
-  position:relative;left:-9999px
+  position:sticky;left:-9999px
-  margin-inline-start:-9999px
-  margin-inline:-9999px 0
-  margin-block-start:-9999px
-  margin:-9999px
-  margin-left:-300vw
-  transform:translate3d(-9999px,0,0)
-  transform:translate(0,-9999px)
-  transform:translate( -9999px )
-  transform:TRANSLATEX(-9999px)
-  transform:translateX(calc(-1 * 9999px))
+  transform:translateX(10px)
-  transform:scale3d(0,1,1)
-  transform:scale(.001)
-  transform:scale(0%)
-  transform:scale( 0 )
-  transform:scale(1,0)
+  transform:scaleX(.9)
+  transform:scale(-1)
-  transform:rotateX(90deg)
-  transform:rotateX( 0.25turn )
-  transform:rotateY(1.5708rad)
-  transform:rotateY(270deg)
-  transform:rotate3d(1,0,0,90deg)
-! transform:rotate(90deg) translate(60px,-300px)
-! transform:rotate(5deg)
+  transform:rotateY(45deg)
-  transform:matrix(0, 0, 0, 1, 0, 0)
-  transform:matrix(1,0,0,1,-9999,0)
+  transform:matrix(1,0,0,1,5,5)
-  transform:matrix(.5,.5,.5,.5,0,0)
-  transform:matrix3d(0,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1)
-  transform:matrix3d(1,0,0,0,0,1,0,0,0,0,1,0,-9999,0,0,1)
+  transform:skewX(10deg)
-  transform:scale(0) scale(9)
+  transform:none
+  transform:translateX(-9999px) translateX(9999px)
-  rotate:x 90deg
-  rotate:y 90deg
-  rotate:1 0 0 90deg
-! rotate:10deg
-  scale:.001
-  scale:0%
+  scale:none
-  scale:1 1 0
-  translate:calc(-1 * 9999px)
-  translate:0 -9999px
+  translate:5px
-  clip-path:inset(0 100% 0 0)
-  clip-path:inset(60% 0 40% 0)
-  clip-path:inset(0 0 100%)
-  clip-path:inset(999px)
+  clip-path:inset(0)
-! clip-path:inset(5px 5%)
-  clip-path:circle(0px at 50% 50%)
-  clip-path:circle(0%)
+  clip-path:circle(90%)
-  clip-path:ellipse(0 50%)
-  clip-path:ellipse(50% 0)
+  clip-path:ellipse(90% 90%)
-  clip-path:polygon(0 0)
-  clip-path:polygon(0px 0px, 0px 100%, 0px 50%)
-  clip-path:polygon(10% 10%, 10% 10%, 10% 10%)
-  clip-path:polygon(0 0, 100% 0, 50% 0)
-  clip-path:polygon(evenodd, 0 0, 0 0, 0 0)
+  clip-path:polygon(0 0, 100% 0, 100% 100%, 0 100%)
-  clip-path:path("M0 0")
-  clip-path:path("M0 0 L0 0 Z")
+  clip-path:path("M0 0H900V900H0Z")
-  clip-path:rect(0 0 0 0)
-  clip-path:rect(5px 5px 5px 5px)
+  clip-path:rect(0 auto auto 0)
-  clip-path:xywh(0 0 0 0)
+  clip-path:xywh(0 0 100% 100%)
-  clip-path:circle(0) border-box
+  clip-path:border-box
-  position:absolute;clip:rect(0,0,0,0)
-  position:absolute;clip:rect(0px 0px 0px 0px)
-  position:absolute;clip:rect(auto, 0, auto, 0)
+  position:absolute;clip:rect(auto auto auto auto)
-  position:absolute;clip:RECT(0 0 0 0)
+  clip:rect(0 0 0 0)
-  mask:linear-gradient(transparent,transparent)
-  mask-image:linear-gradient(#0000,#0000)
-  mask-image:linear-gradient(rgba(0,0,0,0), hsla(0,0%,0%,0))
-  -webkit-mask:linear-gradient(transparent,transparent)
-  -webkit-mask-image:linear-gradient(transparent 0%, transparent 100%)
+  mask-image:linear-gradient(#000,#000)
+  mask-image:radial-gradient(#000,#000)
-  mask-image:linear-gradient(#000,#000);mask-size:0 0;mask-repeat:no-repeat
+  mask-image:none
-  filter:opacity(0%)
-  filter:opacity(.001)
+  filter:opacity(.9)
-  filter:blur(0) opacity( 0 )
-  filter:blur(60px)
+  filter:blur(.2px)
+  filter:brightness(0)
+  filter:drop-shadow(0 0 1px #000)
-  -webkit-filter:opacity(0)
-  color:rgb(255 255 255)
-  color:rgba(255,255,255,1)
-  color:rgb(100% 100% 100%)
-  color:hsl(0 0% 100%)
-  color:hsl(200, 50%, 99.5%)
+  color:hsl(200, 50%, 30%)
-  color:hsla(0,0%,100%,1)
-  color:hwb(0 100% 0%)
+  color:hwb(0 0% 100%)
-  color:lab(100% 0 0)
+  color:lab(40% 20 20)
-  color:lch(100% 0 0)
+  color:lch(40% 60 20)
-  color:oklab(1 0 0)
-  color:oklab(100% 0 0)
+  color:oklab(.4 .1 0)
-  color:oklch(1 0 0)
-  color:oklch(100% 0 0)
+  color:oklch(.4 .1 20)
+  color:oklch(40% 0.2 30)
-  color:color(srgb 1 1 1)
+  color:color(srgb 0 .2 .4)
-  color:color(display-p3 1 1 1)
-  color:color(srgb-linear 1 1 1)
-  color:color-mix(in srgb, white, white)
-  color:color-mix(in srgb, white 99%, black)
+  color:color-mix(in srgb, white 50%, black)
-  color:color-mix(in oklch, white, #fff 40%)
-  color:color-mix(in srgb, transparent, transparent)
-  color:color-mix(in srgb, black 0%, white)
+  color:color-mix(in lab, red, blue)
-  color:light-dark(white, black)
+  color:light-dark(black, white)
-  color:rgb(from white r g b)
-  color:rgb(from black r g b / 0)
+  color:rgb(from white 0 0 0)
-  color:Canvas
+  color:CanvasText
-  color:mintcream
-! color:aliceblue
+  color:rebeccapurple
-! color:azure
-  color:#ffffff00
-  color:#fff0
+  color:#000f
-  color:rgb(255 255 255 / 5%)
-  color:rgb(0 0 0 / 2%)
+  color:rgb(0 0 0 / 60%)
-  color:rgba(0,0,0,.01)
-  color:rgb(none none none / 0)
-  color:rgb(300 300 300)
-  color:WHITE
-  color:#FFF
+  color:currentcolor
+  color:inherit
+  color:initial
+  color:unset
+  color:transparent;text-shadow:0 0 0 #000
+  color:transparent;text-shadow:1px 1px 0 black
-  color:transparent;text-shadow:none
+  color:transparent;-webkit-text-stroke:1px black
-  color:transparent;-webkit-text-stroke:0 black
+  color:white;text-shadow:0 0 3px #000, 0 0 3px #000
-  -webkit-text-fill-color:transparent
-  -webkit-text-fill-color:white;color:black
+  -webkit-text-fill-color:black;color:white
-  -webkit-text-fill-color:currentcolor;color:white
-  color:#000;background:#000
-  color:#123456;background:color-mix(in srgb, #123456, #123456)
-  color:hsl(120 50% 40%);background:hsl(120 50% 40%)
-  color:oklch(.5 .1 90);background:oklch(.5 .1 90)
-  color:steelblue;background:steelblue
-  color:white;background:linear-gradient(white,white)
+  color:white;background:linear-gradient(#000,#000)
+  color:white;background:linear-gradient(90deg, #222, #555)
-  color:white;background-image:linear-gradient(to right, #fff 0%, white 100%)
+  color:white;background-color:#fff;background-image:linear-gradient(#000,#000)
-  color:#00f;background-color:#eee;background-image:linear-gradient(blue,blue)
-  color:red;background:radial-gradient(red, #f00)
-  color:red;background:conic-gradient(red, red)
-  color:red;background:repeating-linear-gradient(red, red 10px)
-  color:white;background:none
-  color:white;background:no-repeat
+  color:white;background:#333 none no-repeat
+  color:white;background:rgb(0 0 0 / 50%)
-  color:white;background:rgb(0 0 0 / 1%)
-  color:black;background:rgb(0 0 0 / 99%)
-  color:#222;background:rgb(0 0 0 / 90%)
-  color:white;background:initial
+  color:white;background:#111;background:nonsense
-  color:#eee;background:#eee
-! color:#ddd;background:#eee
+  color:#777;background:#eee
-! color:white;background:linear-gradient(#000,#000) no-repeat 0 0/0 0
+  color:transparent;background:linear-gradient(#000,#000);background-clip:text
-  color:transparent;background:linear-gradient(#fff,#fff);background-clip:text
-  color:transparent;background:white;-webkit-background-clip:text
+  color:transparent;background:#024;background-clip:text
+  color:white;background:#000 content-box
-  color:white;mix-blend-mode:difference
-  content-visibility:hidden
+  content-visibility:auto
-  height:0;overflow:hidden
-  height:0;overflow:auto
-  height:0;overflow:scroll
-  height:0;overflow:clip
+  height:0;overflow:visible
-  height:0;overflow-y:hidden
-  height:0;overflow-x:hidden
-  height:0;contain:paint
-  height:0;contain:strict
-  height:calc(1px - 1px);overflow:hidden
+  height:0;overflow:hidden;padding-bottom:3em
+  height:0;overflow:hidden;padding:2em 0
+  height:0;overflow:hidden;min-height:40px
-  height:0;min-height:0;overflow:hidden
-  max-height:0;overflow:hidden;padding-top:2em
-  max-height:0;overflow:hidden;padding:0
-  max-height:1px;overflow:hidden
+  max-height:10em;overflow:hidden
-  block-size:0;overflow:hidden
-  inline-size:0;overflow:hidden
-  max-block-size:0;overflow:hidden
-  max-inline-size:0;overflow:hidden
-  width:0;overflow:hidden
+  width:0;overflow:hidden;min-width:200px
+  width:0
+  width:0;height:0
-  width:1px;height:1px;overflow:hidden
-  width:.1em;height:.1em;overflow:hidden
-  line-height:0;overflow:hidden
+  line-height:0
+! letter-spacing:-2em
+! letter-spacing:-999px
+  letter-spacing:1px
+  word-spacing:-2px
+  content:none
+  content:"x"
-  content:url("data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=")
-  content:linear-gradient(white,white)
-  animation:go 1s forwards|@keyframes go{to{opacity:0}}
-  animation:go 1ms both|@keyframes go{from{opacity:1}100%{visibility:hidden}}
-  animation-name:go;animation-duration:1ms;animation-fill-mode:forwards|@keyframes go{to{opacity:0}}
+  animation:go 1ms forwards|@keyframes go{to{opacity:.9}}
+  animation:go 1ms|@keyframes go{to{opacity:0}}
+  opacity:0;animation:come 1ms forwards|@keyframes come{to{opacity:1}}
-  opacity:0;animation:come 1ms|@keyframes come{to{opacity:1}}
+  opacity:0;animation:1ms ease come both|@-webkit-keyframes come{to{opacity:1}}@keyframes come{from{opacity:0}to{opacity:1}}
-  opacity:0;animation:none|@keyframes come{to{opacity:1}}
+  animation:none forwards|@keyframes go{to{opacity:0}}
+  opacity:1!important;animation:go 1ms forwards|@keyframes go{to{opacity:0}}
-  display:var(--a)|:root{--a:none}
+  display:var(--a)|:root{--a:block}
-  display:var(--b,none)
+  display:var(--b,block)
+  display:var(--b)
+  display:none;display:var(--b)
-  display:var(--a)|html{--a:var(--c)}:root{--c:none}
-  display:var(--a)|:root{--a:block}div{--a:none}
+  display:var(--a)|:root{--a:none}div{--a:block}
+  display:var(--a)|p{--a:none}
-  display:var(--a);--a:none
-  --a:none;display:var(--a)
+  --A:none;display:var(--a)
-  display:var( --a )|*{--a:none}
-  display:var(--a)|:root{--a:none}@media print{:root{--a:block}}
-  display:var(--a)|@media screen{:root{--a:none}}
-  display:var(--a)|:root{--a:none !important}:root{--a:block}
+  display:var(--a)|:root{--a:initial}
+  display:var(--a)|body{--a:none}body{--a:inherit}
-  display:var(--a,var(--b,none))
-  opacity:var(--o)|:root{--o:0}
-  opacity:calc(var(--o) * 2)|:root{--o:0}
+  opacity:calc(var(--o) * 2)|:root{--o:.4}
-  opacity:var(--o)|@property --o{syntax:"<number>";inherits:true;initial-value:0}
-  font-size:calc(var(--s) * 1px)|:root{--s:1}
+  font-size:calc(var(--s) * 1px)|:root{--s:14}
-  font-size:var(--s)|:root{--s:0}
-  color:var(--c)|:root{--c:white}
+  color:var(--c)|:root{--c:#024}
-  color:rgb(var(--r) var(--r) var(--r))|:root{--r:255}
+  color:rgb(var(--r),var(--r),var(--r))|:root{--r:10}
-  color:rgba(var(--rgb),0)|:root{--rgb:1,2,3}
+  color:rgba(var(--rgb),1)|:root{--rgb:1,2,3}
-  color:var(--c);background:var(--c)|:root{--c:#147}
+  color:var(--c);background:var(--d)|:root{--c:#fff;--d:#147}
-  color:var(--c);background:var(--d)|:root{--c:#fff;--d:#fff}
-  background:var(--d) none;color:#147|:root{--d:#147}
-  position:var(--p);left:var(--l)|:root{--p:absolute;--l:-9999px}
+  position:absolute;left:var(--l)|:root{--l:20px}
-  transform:translateX(var(--x))|:root{--x:-9999px}
+  transform:translateX(var(--x,0))
-  clip-path:var(--k)|:root{--k:inset(100%)}
-  visibility:var(--v)|:root{--v:hidden}
-  height:var(--h);overflow:hidden|:root{--h:0}
-  display:VAR(--a)|:root{--a:none}
-  display:env(nothing,none)
-  font:1px/1 a
-  font:2px serif
-  font-size:3px
+  font-size:4px
-  font-size:mod(16px, 16px)
-  font-size:round(down, 1px, 16px)
-  opacity:sin(0)
-  opacity:mod(1, 1)
+  opacity:rem(5, 2)
-  opacity:round(.4, 1)
+  opacity:round(up, .4, 1)
-  opacity:sign(0)
-  opacity:pow(0, 1)
+  opacity:pow(2, 0)
-  opacity:sqrt(0)
-  opacity:hypot(0)
-  opacity:exp(-9)
+  opacity:exp(0)
-  position:absolute;left:calc(-9999px * sign(1))
-  position:absolute;left:calc(pow(10, 4) * -1px)
-  position:absolute;left:calc(-infinity * 1px)
-  position:absolute;left:round(-9999px, 1px)
-  height:calc(1px * pi - 3.1415926px);overflow:hidden
+  height:calc(1px * pi * 10);overflow:hidden
-  position:absolute;left:-100%
-  position:absolute;left:-1000%
+  position:absolute;left:-30px
-  position:absolute;top:-100%
-  position:absolute;top:-50px
+  position:absolute;top:-5px
-  position:absolute;bottom:100%
-  position:absolute;bottom:200vh
+  position:absolute;bottom:50%
-  position:absolute;right:100%
-  position:absolute;right:calc(100% + 1px)
+  position:absolute;right:50%
-  position:absolute;left:-50vw;width:50vw
-  position:absolute;left:-500px;width:400px
-! position:absolute;left:-400px;width:500px
-  position:absolute;left:0;transform:translateX(-100%)
+  position:absolute;left:50%;transform:translateX(-50%)
-  position:absolute;left:0;translate:-100%
-  position:absolute;top:0;transform:translateY(-100%)
+  position:absolute;top:50%;transform:translateY(-50%)
-  position:absolute;top:0;translate:0 -100%
-  position:absolute;top:0;left:0;transform:translate(-100%, -100%)
-  position:fixed;left:-300px;width:300px
-! position:fixed;left:-200px;width:300px
-  position:fixed;top:0;transform:translateY(-101%)
-  position:relative;right:9999px
-  position:relative;bottom:9999px
+  position:relative;right:20px
-  clip-path:inset(49.9%)
-  clip-path:inset(0 0 99.9% 0)
-  clip-path:circle(1px)
-  clip-path:circle(1px at -10px -10px)
-  clip-path:circle(9px at -100px -100px)
+  clip-path:circle(200px at 10px 10px)
-  clip-path:polygon(-10px -10px, -5px -10px, -5px -5px)
-  clip-path:polygon(200% 0, 300% 0, 300% 100%)
-  clip-path:rect(0px 1px 1px 0px)
-  clip-path:xywh(-100px -100px 10px 10px)
-  transform:skew(90deg)
-  transform:skewY(90deg)
-  transform:perspective(1px) translateZ(2px)
-  transform:perspective(1px) translateZ(-100000px)
+  transform:perspective(500px) translateZ(20px)
+  transform:rotateX(180deg)
-  transform:rotateX(180deg);backface-visibility:hidden
-  transform:rotateY(180deg);backface-visibility:hidden
+  transform:rotateY(10deg);backface-visibility:hidden
-  transform:rotateX(180deg);-webkit-backface-visibility:hidden
-  rotate:y 180deg;backface-visibility:hidden
+  backface-visibility:hidden
-  -webkit-text-security:disc
-  -webkit-text-security:square
+  -webkit-text-security:none
-  display:table-column
-  display:table-column-group
+  display:table-row-group
-  height:3px;overflow:hidden
-  height:10px;line-height:900px;overflow:hidden
-  height:1em;line-height:10;overflow:hidden
+  height:60px;line-height:60px;overflow:hidden
-  -webkit-text-stroke:1px #fff;-webkit-text-fill-color:#fff
-  -webkit-text-stroke:2px white;color:white
-  -webkit-text-stroke:1px transparent;color:transparent
+  -webkit-text-stroke:1px red;color:white
-  color:white;text-shadow:0 0 0 white
-  color:#fff;text-shadow:1px 1px white, 2px 2px #fff
+  color:white;text-shadow:0 0 0 white, 1px 1px black
-  color:transparent;text-shadow:0 0 0 transparent
-  color:transparent;text-shadow:9999px 0 black
+  color:transparent;text-shadow:1px 1px #333
-  color:Menu
-  color:InfoBackground
-! offset-path:path('M-9999 0');offset-distance:0
-! filter:invert(1)
-! contain:strict
-! display:grid;grid-template-rows:0;overflow:hidden
-! font-size-adjust:0
-! mask:linear-gradient(black,black) -9999px 0 no-repeat
-! display:if(else:none)
-! margin-left:-100%
-! float:right;margin-right:-9999px
""".strip("\n").split("\n")

# Rules, and what they speak of; "||" between them.
PAGES = """
-  .o{.x{display:none}}||<div class=o><p class=x>W</p></div>
-  .o{& .x{display:none}}||<div class=o><p class=x>W</p></div>
-  .o{&.x{display:none}}||<div class="o x">W</div>
+  .o{&.x{display:none}}||<div class=o><p class=x>W</p></div>
-  .o{>.x{display:none}}||<div class=o><p class=x>W</p></div>
+  .o{>.x{display:none}}||<div class=o><div><p class=x>W</p></div></div>
-  .o{+.x{display:none}}||<div class=o>a</div><p class=x>W</p>
-  .o,.q{.x{display:none}}||<div class=q><p class=x>W</p></div>
-  .o{.p{.x{display:none}}}||<div class=o><div class=p><p class=x>W</p></div></div>
-  .o{color:red;.x{display:none}color:blue}||<div class=o><p class=x>W</p></div>
-  .o{.x{color:red}display:none}||<div class=o>W</div>
-  .o{color:red;{}display:none}||<div class=o>W</div>
-  .x{.o &{display:none}}||<div class=o><p class=x>W</p></div>
-  .x{@media screen{display:none}}||<p class=x>W</p>
+  .x{@media print{display:none}}||<p class=x>W</p>
-  .x{@media screen{&{display:none}}}||<p class=x>W</p>
-  .o{@media (min-width:10px){.x{display:none}}}||<div class=o><p class=x>W</p></div>
-  .o{@supports (display:grid){.x{display:none}}}||<div class=o><p class=x>W</p></div>
+  .x{display:none}.o{.x{display:block}}||<div class=o><p class=x>W</p></div>
-  .o{p{display:none}}||<div class=o><p>W</p></div>
+  .o{:hover{display:none}}||<div class=o><p>W</p></div>
+  .o{&:hover{display:none}}||<div class=o>W</div>
+  .o{&::before{display:none}}||<div class=o>W</div>
-  .o{&:not(.z){display:none}}||<div class=o>W</div>
-  .c{container-type:inline-size}@container (min-width:1px){.x{display:none}}||<div class=c><p class=x>W</p></div>
+  .c{container-type:inline-size}@container (min-width:9000px){.x{display:none}}||<div class=c><p class=x>W</p></div>
+  .c{container-type:inline-size}.x{display:none}@container (min-width:1px){.x{display:block}}||<div class=c><p class=x>W</p></div>
-  .c{container:n/inline-size}@container n (width>10px){.x{display:none}}||<div class=c><p class=x>W</p></div>
+  .c{container:n/inline-size}@container n not (width>10px){.x{display:none}}||<div class=c><p class=x>W</p></div>
+  @container (min-width:1px){.x{display:none}}||<p class=x>W</p>
-! .c{--t:1}@container style(--t:1){.x{display:none}}||<div class=c><p class=x>W</p></div>
-  @layer a,b;@layer b{.x{display:none}}@layer a{.x{display:block}}||<p class=x>W</p>
+  @layer a,b;@layer a{.x{display:none}}@layer b{.x{display:block}}||<p class=x>W</p>
+  @layer a{.x{display:none}}.x{display:block}||<p class=x>W</p>
-  @layer a{#i{display:block}}.x{display:none}||<p class=x id=i>W</p>
-  .x{display:none}@layer a{#i{display:block}}||<p class=x id=i>W</p>
-  @layer a{.x{display:none!important}}.x{display:block!important}||<p class=x>W</p>
+  @layer a{.x{display:block!important}}.x{display:none!important}||<p class=x>W</p>
-  @layer a{.x{display:none}}||<p class=x>W</p>
+  @layer a{@layer b{.x{display:none}}.x{display:block}}||<p class=x>W</p>
-  @layer a{@layer b{#i{display:block}}.x{display:none}}||<p class=x id=i>W</p>
+  @layer a.b{.x{display:none}}@layer a.c{.x{display:block}}||<p class=x>W</p>
-  @layer{.x{display:block}}@layer{.x{display:none}}||<p class=x>W</p>
-  @layer a{.x{display:block}}||<p class=x style="display:none">W</p>
-  @supports (display:grid){.x{display:none}}||<p class=x>W</p>
+  @supports (display:flurb){.x{display:none}}||<p class=x>W</p>
-  @supports not (display:flurb){.x{display:none}}||<p class=x>W</p>
+  @supports not (display:grid){.x{display:none}}||<p class=x>W</p>
+  @supports (foo:bar){.x{display:none}}||<p class=x>W</p>
-  @supports not (foo:bar){.x{display:none}}||<p class=x>W</p>
-  @supports (display:grid) and (not (foo:bar)){.x{display:none}}||<p class=x>W</p>
+  @supports (display:grid) and (foo:bar){.x{display:none}}||<p class=x>W</p>
-  @supports (foo:bar) or (color:red){.x{display:none}}||<p class=x>W</p>
-  @supports ((foo:bar) or (color:red)) and (opacity:1){.x{display:none}}||<p class=x>W</p>
-  @supports selector(a>b){.x{display:none}}||<p class=x>W</p>
+  @supports selector(:foo-bar){.x{display:none}}||<p class=x>W</p>
-  @supports (--a:b){.x{display:none}}||<p class=x>W</p>
+  @supports (-moz-appearance:none){.x{display:none}}||<p class=x>W</p>
-  @supports (-webkit-appearance:none){.x{display:none}}||<p class=x>W</p>
-  @supports (backdrop-filter:blur(1px)){.x{display:none}}||<p class=x>W</p>
-  @media all{.x{display:none}}||<p class=x>W</p>
+  @media not all{.x{display:none}}||<p class=x>W</p>
-  @media (100px<=width<=3000px){.x{display:none}}||<p class=x>W</p>
+  @media (3000px<width<4000px){.x{display:none}}||<p class=x>W</p>
-  @media (100px<width){.x{display:none}}||<p class=x>W</p>
-  @media (not (width:9px)){.x{display:none}}||<p class=x>W</p>
-  @media not (min-width:9000px){.x{display:none}}||<p class=x>W</p>
-  @media (min-width:9000px) or (min-width:10px){.x{display:none}}||<p class=x>W</p>
-  @media (min-width:9000px),screen{.x{display:none}}||<p class=x>W</p>
-  @media ((min-width:10px) and (max-width:9000px)){.x{display:none}}||<p class=x>W</p>
-  @media (min-width:calc(10px + 1em)){.x{display:none}}||<p class=x>W</p>
-  @media (min-resolution:.5dppx){.x{display:none}}||<p class=x>W</p>
+  @media (max-resolution:.5dppx){.x{display:none}}||<p class=x>W</p>
-  @media (min-aspect-ratio:1/100){.x{display:none}}||<p class=x>W</p>
+  @media (min-aspect-ratio:100/1){.x{display:none}}||<p class=x>W</p>
-  @media (scripting:enabled){.x{display:none}}||<p class=x>W</p>
+  @media (scripting:none){.x{display:none}}||<p class=x>W</p>
-  @media (display-mode:browser){.x{display:none}}||<p class=x>W</p>
+  @media (display-mode:standalone){.x{display:none}}||<p class=x>W</p>
-  @media (update:fast){.x{display:none}}||<p class=x>W</p>
-  @media (overflow-block:scroll){.x{display:none}}||<p class=x>W</p>
-  @media (min-color:1){.x{display:none}}||<p class=x>W</p>
+  @media (monochrome){.x{display:none}}||<p class=x>W</p>
-  @media (grid:0){.x{display:none}}||<p class=x>W</p>
-  @media (forced-colors:none){.x{display:none}}||<p class=x>W</p>
+  @media (prefers-contrast:more){.x{display:none}}||<p class=x>W</p>
+  @media (prefers-color-scheme:dark){.x{display:none}}||<p class=x>W</p>
+  @media (foo:bar){.x{display:none}}||<p class=x>W</p>
+  @media not (foo:bar){.x{display:none}}||<p class=x>W</p>
+  @media tv{.x{display:none}}||<p class=x>W</p>
-  @media only screen and (orientation:landscape),only screen and (orientation:portrait){.x{display:none}}||<p class=x>W</p>
-  @scope (.o){.x{display:none}}||<div class=o><p class=x>W</p></div>
+  @scope (.o){.x{display:none}}||<p class=x>W</p>
+  @scope (.o) to (.l){.x{display:none}}||<div class=o><div class=l><p class=x>W</p></div></div>
-  @scope (.o){:scope{display:none}}||<div class=o>W</div>
-! @starting-style{.x{display:none}}||<p class=x>W</p>
-  @font-face{font-family:y}.x{display:none}||<p class=x>W</p>
-  @page{margin:0}.x{display:none}||<p class=x>W</p>
+  @unknown{.x{display:none}}||<p class=x>W</p>
-  @namespace svg url(http://www.w3.org/2000/svg);.x{display:none}||<p class=x>W</p>
-  @import url("data:text/css,.x{display:none}");||<p class=x>W</p>
-  @import url("data:text/css;base64,Lnh7ZGlzcGxheTpub25lfQ==");||<p class=x>W</p>
-  ||<link rel=stylesheet href="data:text/css,.x%7Bdisplay:none%7D"><p class=x>W</p>
+  ||<link rel=stylesheet media=print href="data:text/css,.x%7Bdisplay:none%7D"><p class=x>W</p>
-  <!-- .x{display:none} -->||<p class=x>W</p>
-  .x{display:none||<p class=x>W</p>
+  .y{color:red}}.x{display:none}||<p class=x>W</p>
+  .x,.y:is{display:none}||<p class=x>W</p>
+  .x,:foo{display:none}||<p class=x>W</p>
+  .x,p::foo{display:none}||<p class=x>W</p>
+  .x,{display:none}||<p class=x>W</p>
+  .x,:-moz-any(.y){display:none}||<p class=x>W</p>
+  .x,p:not(.y,:foo){display:none}||<p class=x>W</p>
+  .x,.y%{display:none}||<p class=x>W</p>
+  .o,:foo{.x{display:none}}||<div class=o><p class=x>W</p></div>
+  .x,:foo{--a:none}.x{display:var(--a)}||<p class=x>W</p>
+  .x{display:none}.x,:foo{display:block}.y,.x{display:block}||<p class=x>W</p>
-  .x{display:none}.x,:foo{display:block}||<p class=x>W</p>
-  .x,::-webkit-foo{display:none}||<p class=x>W</p>
-  .x,:where(:foo){display:none}||<p class=x>W</p>
-  .x,a:not(:hover):NTH-child(2n + 1)::before{display:none}||<p class=x>W</p>
-  .x,a[b=':foo,]']{display:none}||<p class=x>W</p>
-  .y{color:red}}.x{display:none}.x{display:none}||<p class=x>W</p>
+  \\.x{display:none}||<p class=x>W</p>
-  .\\78{display:none}||<p class=x>W</p>
-  .x/**/{display:none}||<p class=x>W</p>
-  p/**/.x{display:none}||<p class=x>W</p>
-  p/* */ /* */.x{display:none}||<p><b class=x>W</b></p>
-  :is(.x,.y){display:none}||<p class=x>W</p>
-  :where(.x){display:none}||<p class=x>W</p>
+  :where(.x){display:none}p{display:block}||<p class=x>W</p>
-  p:is(.x){display:none}||<p class=x>W</p>
+  p:is(.y){display:none}||<p class=x>W</p>
-  :is(.o,.q) .x{display:none}||<div class=q><p class=x>W</p></div>
-  :is(.o .q) .x{display:none}||<div class=o><div class=q><p class=x>W</p></div></div>
-  :is(.x,:foo){display:none}||<p class=x>W</p>
-  :-webkit-any(.x){display:none}||<p class=x>W</p>
-  p:not(.a,.b){display:none}||<p class=x>W</p>
-  p:not(.o p){display:none}||<p class=x>W</p>
+  p:not(.o p){display:none}||<div class=o><p class=x>W</p></div>
-  p:not(.a.b){display:none}||<p class=x>W</p>
-  p:not(:hover){display:none}||<p class=x>W</p>
-  p:not(:focus-within){display:none}||<p class=x>W</p>
-  p:not(:is(.y)){display:none}||<p class=x>W</p>
-  p:not(:not(.x)){display:none}||<p class=x>W</p>
-  .o:not(:hover) .x{display:none}||<div class=o><p class=x>W</p></div>
-  p:has(b){display:none}||<p>W<b>a</b></p>
+  p:has(b){display:none}||<p>W<i>a</i></p>
-  p:has(>b){display:none}||<p>W<b>a</b></p>
-  p:not(:has(b)){display:none}||<p>W</p>
-  .o:has(i) .x{display:none}||<div class=o><i>a</i><p class=x>W</p></div>
+  .o:has(b) .x{display:none}||<div class=o><i>a</i><p class=x>W</p></div>
-  .o:has(i)>.p:not(.q .p) .x{display:none}||<div class=o><i>a</i><div class=p><p class=x>W</p></div></div>
+  .o:has(i)>.x{display:none}||<div class=o><i>a</i><div class=p><p class=x>W</p></div></div>
-  .o:has(i)>.x:has(b){display:none}||<div class=o><i>a</i><p class=x>W<b>b</b></p></div>
-  p:nth-child(n){display:none}||<p>W</p>
-  p:nth-child(1 of .x){display:none}||<div><p>a</p><p class=x>W</p></div>
-  p:nth-last-child(1){display:none}||<div><p>a</p><p class=x>W</p></div>
-  p:only-child{display:none}||<div><p>W</p></div>
-  [class=x]{display:none}||<p class=x>W</p>
-  [CLASS=x]{display:none}||<p class=x>W</p>
-  [class=X i]{display:none}||<p class=x>W</p>
-  [class|=x]{display:none}||<p class=x-1>W</p>
-  [class^=x][class$=z]{display:none}||<p class=xyz>W</p>
-  [data-a="b c"]{display:none}||<p data-a="b c">W</p>
-  [data-a]{display:none}||<p data-a>W</p>
-  *{--a:b}*.x{display:none}||<p class=x>W</p>
+  .x:root{display:none}||<p class=x>W</p>
-  :root .x{display:none}||<p class=x>W</p>
-  html body p.x{display:none}||<p class=x>W</p>
-  :scope .x{display:none}||<p class=x>W</p>
-  p:defined{display:none}||<p>W</p>
-! x-y:not(:defined){display:none}||<x-y>W</x-y>
+  p:empty{display:none}||<p>W</p>
-  a:any-link{display:none}||<a href="/">W</a>
-  p:lang(en){display:none}||<p lang=en>W</p>
+  p:lang("en"){display:none}||<p lang=en-GB>W</p>
-  p:dir(ltr){display:none}||<p>W</p>
-  details:open{display:none}||<details open><summary>W</summary></details>
-! p::first-line{color:white}||<p>W</p>
+  p::first-letter{opacity:0}||<p>W</p>
-  .o>:first-child~.x{display:none}||<div class=o><i>a</i><p class=x>W</p></div>
+  .X{display:none}||<p class=x>W</p>
-  P{display:none}||<p>W</p>
-  .x{display:none!important}||<p class=x style="display:block">W</p>
+  .x{display:none}||<p class=x style="display:block">W</p>
-  #i{display:block}p#i.x{display:none}||<p class=x id=i>W</p>
-  p{color:white}||<p>W</p>
-  .o{color:white}||<div class=o><p>W</p></div>
+  .o{color:white}p{color:#000}||<div class=o><p>W</p></div>
+  .o{color:white}.q{background:#000}||<div class=q><div class=o><p>W</p></div></div>
-  .o{color:white;background:#000}p{background:#fff}||<div class=o><p>W</p></div>
-  .o{-webkit-text-fill-color:white}p{color:#000}||<div class=o><p>W</p></div>
+  .o{-webkit-text-fill-color:white}p{-webkit-text-fill-color:#000}||<div class=o><p>W</p></div>
-  .o{background:rgb(0 0 0/50%)}.x{color:#7f7f7f}||<div class=o><p class=x>W</p></div>
-  .o{opacity:.2}||<div class=o><div class=o><p>W</p></div></div>
+  .o{opacity:.8}||<div class=o><div class=o><p>W</p></div></div>
+  .o{font-size:.3em}||<div class=o><div class=o><div class=o><div class=o>W</div></div></div></div>
+  .o{font-size:0}p{font-size:14px}||<div class=o><p>W</p></div>
+  .o{font-size:0}p{font-size:1rem}||<div class=o><p>W</p></div>
+  .o{font-size:0}p{font-size:medium}||<div class=o><p>W</p></div>
-  .o{font-size:0}p{font-size:1.2em}||<div class=o><p>W</p></div>
+  .o{font-size:0}p{font-size:initial}||<div class=o><p>W</p></div>
-  .o{zoom:.2}||<div class=o><div class=o>W</div></div>
+  .o{visibility:hidden}p{visibility:visible}||<div class=o><p>W</p></div>
+  .o{visibility:hidden}p{visibility:initial}||<div class=o><p>W</p></div>
-  .o{visibility:hidden}p{visibility:inherit}||<div class=o><p>W</p></div>
-  .o{visibility:hidden}p{visibility:unset}||<div class=o><p>W</p></div>
+  .o{visibility:hidden}p{all:initial;display:block}||<div class=o><p>W</p></div>
+  html{color-scheme:dark}p{color:white}||<p>W</p>
-! html{color-scheme:dark}p{color:#121212}||<p>W</p>
+  body{background:#000;color:#fff}||<p>W</p>
-  body{background:#000}||<p>W</p>
+  html{background:#000;color:white}||<p>W</p>
-  body{background:#222}p{color:#222}||<p>W</p>
-! body{background:url(x.png) #fff;color:white}||<p>W</p>
-! .o{background:url(x.png);color:white}||<p class=o>W</p>
+  .o{background-color:#fff;background-image:url(data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==);color:white}||<p class=o>W</p>
+  .x{height:0;overflow:hidden}||<span class=x>W</span>
-  .x{height:0;overflow:hidden;display:inline-block}||<span class=x>W</span>
-  .x{height:0;overflow:hidden;float:left}||<span class=x>W</span>
-! .o{display:flex}.x{height:0;overflow:hidden}||<div class=o><span class=x>W</span></div>
-! .o{display:flex}.x{transform:scale(0)}||<div class=o><span class=x>W</span></div>
+  .x{transform:scale(0)}||<span class=x>W</span>
+  .x{content-visibility:hidden}||<span class=x>W</span>
-  .x{clip-path:inset(100%)}||<span class=x>W</span>
-  .x{opacity:0}||<span class=x>W</span>
+! .o{height:0;overflow:hidden}.x{position:absolute}||<div class=o><p class=x>W</p></div>
-  .o{height:0;overflow:hidden;position:relative}.x{position:absolute}||<div class=o><p class=x>W</p></div>
+  .o{display:contents;opacity:0}||<div class=o><p>W</p></div>
-  .o{display:contents;visibility:hidden}||<div class=o><p>W</p></div>
-  ||<div popover>W</div>
-  ||<div popover=manual>W</div>
+  [popover]{display:block;position:static}||<div popover>W</div>
-  ||<dialog>W</dialog>
+  ||<dialog open>W</dialog>
+  dialog{display:block}||<dialog>W</dialog>
-  ||<p hidden>W</p>
-  ||<p hidden="">W</p>
-  ||<p hidden=yes>W</p>
+  [hidden]{display:block}||<p hidden>W</p>
+  p{display:block}||<p hidden>W</p>
+  .x{display:flex}||<p hidden class=x>W</p>
+  .x{display:inherit}||<p hidden class=x>W</p>
+  ||<p inert>W</p>
-  ||<video>W</video>
-  ||<video src=x.mp4>W</video>
-  ||<audio>W</audio>
-  ||<canvas>W</canvas>
-  ||<iframe>W</iframe>
+! ||<object>W</object>
-  ||<object data="data:text/html,a">W</object>
-  ||<object data="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=">W</object>
+! ||<progress>W</progress>
-  ||<meter>W</meter>
+! ||<textarea>W</textarea>
+  ||<select><option>a<option>W</select>
+  ||<select><option>W</select>
+  ||<select><option>a<option selected>W</select>
+  ||<select multiple><option>a<option>W</select>
+  ||<select size=3><option>a<option>W</select>
-  ||<datalist><option>W</datalist>
-  ||<noscript>W</noscript>
-  ||<template>W</template>
-  ||<div><template shadowrootmode=open><style>p{display:none}</style><p>W</p></template></div>
+  ||<div><template shadowrootmode=open><style>b{display:none}</style><p>W</p></template></div>
-  ||<div><template shadowrootmode=open><style>p{display:none}body p{display:block}</style><p>W</p></template></div>
-  ||<div><template shadowrootmode=open><style>.a .b{display:none}</style><p class=a><b class=b>W</b></p></template></div>
+! ||<div class=a><template shadowrootmode=open><style>.a .b{display:none}</style><b class=b>W</b></template></div>
-  ||<div><template shadowrootmode=open><style>:host{display:none}</style><p>W</p></template></div>
+  ||<div><template shadowrootmode=open><style>:host{display:block}</style><p>W</p></template></div>
-  ||<div data-off><template shadowrootmode=open><style>:host([data-off]){visibility:hidden}</style><p>W</p></template></div>
+  ||<div><template shadowrootmode=open><style>:host([data-off]){visibility:hidden}</style><p>W</p></template></div>
-  ||<div><template shadowrootmode=open><style>:host(:not([open])) p{display:none}</style><p>W</p></template></div>
+  ||<div open><template shadowrootmode=open><style>:host(:not([open])) p{display:none}</style><p>W</p></template></div>
+  ||<div class=c><template shadowrootmode=open><style>:host(.a,.c)>p{opacity:0}</style><p>W</p></template></div>
+  p{display:none}||<div><template shadowrootmode=open><style>b{color:red}</style><p>W</p></template></div>
+  ||<div><template shadowrootmode=open><style>p{display:none}</style></template></div><p>W</p>
-  ||<div><template shadowrootmode=open><style>p{display:none}</style><i><template shadowrootmode=open><p>W</p></template></i></template></div>
+  ||<div><template shadowrootmode=open><style>p{display:none}</style><span><template shadowrootmode=open><p>W</p></template></span></template></div>
+  ||<div><template shadowrootmode=open><span><template shadowrootmode=open><style>p{display:none}</style></template></span><p>W</p></template></div>
-  ||<div><template shadowrootmode=open><style>p{color:#fff}</style><p>W</p></template></div>
+  ||<div><template shadowrootmode=open><style>div{background:#000}p{color:#fff}</style><div><p>W</p></div></template></div>
-  body{color:#fff;background:#000}||<div><template shadowrootmode=open><style>p{background:#fff}</style><p>W</p></template></div>
-  ||<div><template shadowrootmode=open><style>::slotted(p){display:none}</style><slot></slot></template><p>W</p></div>
-  ||<div><template shadowrootmode=open><style>::slotted(*){display:none}</style><slot></slot></template><p>W</p></div>
+  p{display:block}||<div><template shadowrootmode=open><style>::slotted(p){display:none}</style><slot></slot></template><p>W</p></div>
+  ||<div><template shadowrootmode=open><style>::slotted(b){display:none}</style><slot></slot></template><p><b>W</b></p></div>
+  ::slotted(p){display:none}||<div><template shadowrootmode=open><slot></slot></template><p>W</p></div>
-  ||<div><template shadowrootmode=open><style>section{display:none}</style><section><slot></slot></section></template><p>W</p></div>
-  ||<div><template shadowrootmode=open><style>.a{display:none}</style><div class=a><span><slot name=s></slot></span></div></template><p slot=s>W</p></div>
-  ||<div><template shadowrootmode=open><div style=display:none><slot></slot></div></template><b>W</b></div>
-  ||<div><template shadowrootmode=open><style>slot{display:none}</style><slot></slot></template><p>W</p></div>
-  ||<div><template shadowrootmode=open><slot hidden>x</slot></template><p>W</p></div>
-  ||<div><template shadowrootmode=open><style>section{visibility:hidden}</style><section><slot></slot></section></template><p>W</p></div>
+  ||<div><template shadowrootmode=open><style>section{visibility:hidden}</style><section></section><slot></slot></template><p>W</p></div>
+  ||<div><template shadowrootmode=open><style>.a{display:none}</style><div class=a>x</div><slot></slot></template><p>W</p></div>
+  ||<div><template shadowrootmode=open><style>.a{display:none}</style><div class=a></div><div><slot></slot></div></template><p>W</p></div>
+  ||<div><template shadowrootmode=open><style>@media print{p{display:none}}</style><p>W</p></template></div>
-  ||<div><template shadowrootmode=open><style>@media screen{p{position:absolute;left:-9999px}}</style><p>W</p></template></div>
-  ||<div style="--d:none"><template shadowrootmode=open><style>p{display:var(--d)}</style><p>W</p></template></div>
-  ||<div><template shadowrootmode=open><style>:host{--d:none}p{display:var(--d)}</style><p>W</p></template></div>
-  ||<div class=c><template shadowrootmode=open><style>:host(.c){--d:none}p{display:var(--d)}</style><p>W</p></template></div>
+  ||<div><template shadowrootmode=open><style>:host(.c){--d:none}p{display:var(--d)}</style><p>W</p></template></div>
+  div{--d:block}||<div><template shadowrootmode=open><style>:host{--d:none}p{display:var(--d)}</style><p>W</p></template></div>
+  ||<div style=--d:block><template shadowrootmode=open><style>:host{--d:none}p{display:var(--d)}</style><p>W</p></template></div>
-  div{--d:block}||<div><template shadowrootmode=open><style>:host{--d:none!important}p{display:var(--d)}</style><p>W</p></template></div>
-  p{--d:block}||<div><template shadowrootmode=open><style>p{display:var(--d,none)}</style><p>W</p></template></div>
-  ||<div><template shadowrootmode=open><style>:host-context(body) p{display:none}</style><p>W</p></template></div>
-  ||<main class=dark><div><template shadowrootmode=open><style>:host-context(.dark){display:none}</style><p>W</p></template></div></main>
+  ||<div><template shadowrootmode=open><style>:host-context(.dark) p{display:none}</style><p>W</p></template></div>
+  ||<div><template shadowrootmode=open><style>:host-context(p) p{display:none}</style><p>W</p></template></div>
-  ||<div><template shadowrootmode=open><style>:host{font-size:0}</style><p>W</p></template></div>
+  ||<div><template shadowrootmode=open><style>p{display:none}</style><style>p{display:block}</style><p>W</p></template></div>
-  ||<div><template shadowrootmode=open><style>#a{display:none}</style><p id=a>W</p></template></div>
+  ||<div><template shadowrootmode=open><style>[hidden]{display:block}</style><p hidden>W</p></template></div>
-  ||<div><template shadowrootmode=open><link rel=stylesheet href="data:text/css,p{display:none}"><p>W</p></template></div>
-  ||<ruby>a<rp>W</rp><rt>b</rt></ruby>
+  ||<ruby>a<rt>W</rt></ruby>
+  ||<math><mtext>W</mtext></math>
-  ||<noembed>W</noembed>
-  ||<noframes>W</noframes>
-! ||<title>W</title>
+  ||<button>W</button>
+  ||<fieldset><legend>W</legend></fieldset>
+  ||<label>W</label>
+  ||<marquee scrollamount=0>W</marquee>
+  ||<xmp>W</xmp>
+  ||<plaintext>W
-  ||<font color=white>W</font>
-  ||<font color="#ffffff">W</font>
+  ||<font color="#024">W</font>
-  ||<font color=ffffff>W</font>
-  ||<table bgcolor=black><tr><td>W</table>
+  ||<table bgcolor=black><tr><td><font color=white>W</font></table>
-  ||<table><tr bgcolor=#111111><td style="color:#111">W</table>
+  ||<table><tr><td bgcolor=#333 style="color:#fff">W</table>
+  ||<font size=1>W</font>
+  ||<font size=-9>W</font>
+  ||<font color=white style="color:black">W</font>
-  ||<div dir=rtl style="text-indent:-9999px">W</div>
-! ||<div style="overflow:hidden;height:30px;position:relative"><div style="position:absolute;top:200px">W</div></div>
-! ||<div style="width:100px;overflow:hidden"><div style="margin-left:300px">W</div></div>
-! ||<div style="overflow:hidden;height:40px"><div style="height:200px"></div>W</div>
+  ||<div style="position:relative"><div style="position:absolute;z-index:-1">W</div></div>
+  ||<div style="position:relative;background:#fff;z-index:0"><div style="position:absolute;z-index:-1">W</div></div>
-! ||<div style="display:grid;grid-template-rows:0fr"><div style="overflow:hidden">W</div></div>
-! ||<div style="display:flex"><div style="flex:0 0 0;overflow:hidden">W</div></div>
+  ||<div style="visibility:hidden"><b style="visibility:visible">W</b></div>
-  ||<div style="opacity:0"><b style="opacity:1">W</b></div>
-  ||<div style="display:none"><b style="display:block">W</b></div>
+  ||<div style="font-size:0"><b style="font-size:16px">W</b></div>
+  ||<div style="color:white"><b style="color:black">W</b></div>
-  ||<div style="transform:scale(0)"><b style="transform:scale(9)">W</b></div>
-  ||<div style="-webkit-text-fill-color:transparent"><b style="color:black">W</b></div>
+! ||<div style="text-indent:-9999px"><p style="text-indent:0">W</p></div>
+  ||<div style="letter-spacing:-3em"><p style="letter-spacing:normal">W</p></div>
+  ||<div style="position:relative;margin-top:99px"><div style="position:absolute;bottom:100%">W</div></div>
+  ||<div style="position:relative;margin-left:600px"><div style="position:absolute;right:100%">W</div></div>
+  .o{position:relative;margin-left:600px}.x{position:absolute;left:0;transform:translateX(-100%)}||<div class=o><div class=x>W</div></div>
+  .o{position:relative;left:600px;width:100px}.x{position:absolute;left:-200px;width:150px}||<div class=o><i><b class=x>W</b></i></div>
+  .o{position:relative;top:99px}.x{position:absolute;top:-50px}||<div class=o><div class=x>W</div></div>
-  .o{position:static}.x{position:absolute;top:-50px}||<div class=o><div class=x>W</div></div>
-! .x{position:absolute;top:-50px}.x:focus{top:0}||<a href=/ class=x>W</a>
-  .x{position:absolute;top:-50px}||<div class=x>W</div><p class=o>and some</p>
+  .card{position:relative}.x{position:absolute;left:-100%}||<div class=card style="left:100%"><b class=x>W</b></div>
-  .x:dir(ltr){display:none}||<p class=x>W</p>
-  .x:dir(rtl){display:none}||<p class=x dir=rtl>W</p>
-  .x:dir(rtl){display:none}||<div dir=rtl><p class=x>W</p></div>
-  .x:defined{display:none}||<p class=x>W</p>
-  details:open p{display:none}||<details open><summary>a</summary><p class=x>W</p></details>
-  details:open + p{display:none}||<details open><summary>a</summary></details><p class=x>W</p>
-  dialog:open{display:none}||<dialog open>W</dialog>
-  :nth-child(1 of .x){display:none}||<p>a</p><p class=x>W</p>
-  :nth-child(2 of .x){display:none}||<p class=x>a</p><p>b</p><p class=x>W</p>
-  .y :nth-last-child(1 of .x){display:none}||<div class=y><p class=x>W</p><p>b</p></div>
-  .x{background:#fff;filter:contrast(0)}||<p class=x>W</p>
-  ||<table><tr><td bgcolor='#000000'>W</td></tr></table>
-  ||<table><tr bgcolor=black><td>W</td></tr></table>
-  input:placeholder-shown + .x{display:none}||<input placeholder=a><p class=x>W</p>
-  .x:read-only{display:none}||<p class=x>W</p>
-  .x:not(:autofill){display:none}||<p class=x>W</p>
-  .x:not(:picture-in-picture){display:none}||<p class=x>W</p>
-  .x:not(:user-valid){display:none}||<p class=x>W</p>
-  .x:not(:state(a)){display:none}||<p class=x>W</p>
+  .x:dir(rtl){display:none}||<p class=x>W</p>
+  :nth-child(2 of .x){display:none}||<p>a</p><p class=x>W</p>
-! x-y:not(:defined){display:none}||<x-y>W</x-y>
+  ||<table><tr bgcolor=black><td><font color=white>W</font></td></tr></table>
+  td{color:#fff}||<table bgcolor=#000000><tr><td>W</td></tr></table>
+  .x:read-write{display:none}||<p class=x>W</p>
+  details:open + p{display:none}||<details><summary>a</summary></details><p class=x>W</p>
-! .x{margin-left:-100%}||<p class=x>W</p>
+  .x{filter:contrast(.5)}||<p class=x>W</p>
-! ||<math><mphantom><mtext>W</mtext></mphantom></math>
+  ||<ruby>a<rp>(</rp><rt>W</rt><rp>)</rp></ruby>
""".strip("\n").split("\n")


def ways():
    """Of each: its line, rules, the body with the word as W, whether Chromium shows it, and whether we
    are known to say otherwise."""
    made = []
    for line in STYLES:
        style, _, rules = line[3:].partition("|")
        quoted = style.replace('"', "&quot;")
        made.append((line[3:], rules, f'<div style="{quoted}">W</div>', line[0] == "+", line[1] == "!"))
    for line in PAGES:
        rules, _, body = line[3:].partition("||")
        made.append((line[3:], rules, body, line[0] == "+", line[1] == "!"))
    return made
