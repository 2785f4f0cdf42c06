#pragma once
#include <cstdint>

#include "base/lane_pack.h"

/// Constants of base/math.h. Coefficients in double: fdlibm 5.3 (Sun Microsystems, 1993), k_sin, k_cos, e_exp, e_log, s_atan. In float:
/// sine, cosine and arctangent by a Remez exchange of our own, exponential and logarithm as in FreeBSD's msun. Error bounds and how they
/// were found: docs/theory/elementary_functions.md.

namespace trilith {
TRI_ISA_BEGIN
namespace detail {

template <class S>
struct MathConstants;

template <>
struct MathConstants<double> {
  static constexpr double half = 0.5;
  static constexpr double infinity = __builtin_inf();
  static constexpr double not_a_number = __builtin_nan("");
  static constexpr double epsilon = 0x1p-52;  // from 1 to the next number
  static constexpr double smallest_normal = 0x1p-1022;
  static constexpr int mantissa_bits = 52;
  static constexpr int exponent_bias = 1023;
  static constexpr std::uint64_t mantissa_mask = 0x000fffffffffffff;
  static constexpr std::uint64_t one_bits = 0x3ff0000000000000;
  static constexpr double round = 0x1.8p52;  // adding it leaves an integer in the lowest bits, in two's complement

  // pi/2 in parts of 33, 33, 33 and 53 bits: n times a part is exact for |n| < 2^20
  static constexpr double fast_angle = 1e6;
  static constexpr double two_over_pi = 0x1.45f306dc9c883p-1;
  static constexpr double half_pi_1 = 0x1.921fb544p+0;
  static constexpr double half_pi_2 = 0x1.0b4611a6p-34;
  static constexpr double half_pi_3 = 0x1.3198a2ep-69;
  static constexpr double half_pi_4 = 0x1.b839a252049c1p-104;

  static constexpr double sin_1 = -1.66666666666666324348e-01;
  template <class T>
  TRI_INLINE static T sin_rest(T z) {
    return T(8.33333333332248946124e-03) + z * (T(-1.98412698298579493134e-04) + z * T(2.75573137070700676789e-06)) +
           z * (z * z) * (T(-2.50507602534068634195e-08) + z * T(1.58969099521155010221e-10));
  }
  template <class T>
  TRI_INLINE static T cos_rest(T z) {
    const T w = z * z;
    return T(4.16666666666666019037e-02) + z * (T(-1.38888888888741095749e-03) + z * T(2.48015872894767294178e-05)) +
           z * w * (T(-2.75573143513906633035e-07) + z * (T(2.08757232129817482790e-09) + z * T(-1.13596475577881948265e-11)));
  }

  static constexpr double exp_low = -746, exp_high = 710;
  static constexpr double log2_e = 1.44269504088896338700e+00;
  static constexpr double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;
  template <class T>
  TRI_INLINE static T exp_rest(T z) {
    return T(1.66666666666666019037e-01) +
           z * (T(-2.77777777770155933842e-03) +
                z * (T(6.61375632143793436117e-05) + z * (T(-1.65339022054652515390e-06) + z * T(4.13813679705723846039e-08))));
  }

  static constexpr double scale_up = 0x1p54, scale_up_log2 = 54;
  static constexpr double exponent_unit = 0x1p52;
  static constexpr std::uint64_t sqrt_half_bits = 0x3fe6a09e00000000;
  template <class T>
  TRI_INLINE static T log_rest(T z) {
    const T w = z * z;
    const T even = w * (T(3.999999999940941908e-01) + w * (T(2.222219843214978396e-01) + w * T(1.531383769920937332e-01)));
    const T odd = z * (T(6.666666666666735130e-01) +
                       w * (T(2.857142874366239149e-01) + w * (T(1.818357216161805012e-01) + w * T(1.479819860511658591e-01))));
    return even + odd;
  }

  static constexpr double huge = 0x1p1000, shrink = 0x1p-100;
  static constexpr double minute = 0x1p-900, grow = 0x1p200;
  static constexpr double tan_eighth_pi = 0x1.a827999fcef32p-2;
  static constexpr double quarter_pi = 0x1.921fb54442d18p-1, quarter_pi_low = 0x1.1a62633145c07p-55;
  static constexpr double half_pi = 0x1.921fb54442d18p+0, half_pi_low = 0x1.1a62633145c07p-54;
  static constexpr double three_quarter_pi = 0x1.2d97c7f3321d2p+1, three_quarter_pi_low = 0x1.a79394c9e8a0ap-54;
  static constexpr double pi = 0x1.921fb54442d18p+1, pi_low = 0x1.1a62633145c07p-53;
  /// 1 - atan(q) / q as a function of z = q^2.
  template <class T>
  TRI_INLINE static T atan_rest(T z) {
    const T w = z * z;
    const T odd =
        z * (T(3.33333333333329318027e-01) +
             w * (T(1.42857142725034663711e-01) +
                  w * (T(9.09088713343650656196e-02) +
                       w * (T(6.66107313738753120669e-02) + w * (T(4.97687799461593236017e-02) + w * T(1.62858201153657823623e-02))))));
    const T even =
        w * (T(-1.99999999998764832476e-01) +
             w * (T(-1.11111104054623557880e-01) +
                  w * (T(-7.69187620504482999495e-02) + w * (T(-5.83357013379057348645e-02) + w * T(-3.65315727442169155270e-02)))));
    return odd + even;
  }
};

template <>
struct MathConstants<float> {
  static constexpr float half = 0.5f;
  static constexpr float infinity = __builtin_inff();
  static constexpr float not_a_number = __builtin_nanf("");
  static constexpr float epsilon = 0x1p-23f;
  static constexpr float smallest_normal = 0x1p-126f;
  static constexpr int mantissa_bits = 23;
  static constexpr int exponent_bias = 127;
  static constexpr std::uint32_t mantissa_mask = 0x007fffff;
  static constexpr std::uint32_t one_bits = 0x3f800000;
  static constexpr float round = 0x1.8p23f;

  // pi/2 in parts of 13, 13, 13 and 24 bits: n times a part is exact for |n| < 2^11
  static constexpr float fast_angle = 3000;
  static constexpr float two_over_pi = 0x1.45f306p-1f;
  static constexpr float half_pi_1 = 0x1.921p+0f;
  static constexpr float half_pi_2 = 0x1.f6ap-13f;
  static constexpr float half_pi_3 = 0x1.11p-26f;
  static constexpr float half_pi_4 = 0x1.68c234p-39f;

  static constexpr float sin_1 = -0.166666552f;
  template <class T>
  TRI_INLINE static T sin_rest(T z) {
    return T(0.008332178f) + z * T(-0.000195172353f);
  }
  template <class T>
  TRI_INLINE static T cos_rest(T z) {
    return T(0.0416666456f) + z * (T(-0.00138873665f) + z * T(2.44383791e-05f));
  }

  static constexpr float exp_low = -105, exp_high = 89;
  static constexpr float log2_e = 1.4426950216e+00f;
  static constexpr float ln2_high = 6.9314575195e-01f, ln2_low = 1.4286067653e-06f;
  template <class T>
  TRI_INLINE static T exp_rest(T z) {
    return T(1.6666625440e-01f) + z * T(-2.7667332906e-03f);
  }

  static constexpr float scale_up = 0x1p25f, scale_up_log2 = 25;
  static constexpr float exponent_unit = 0x1p23f;
  static constexpr std::uint32_t sqrt_half_bits = 0x3f3504f3;
  template <class T>
  TRI_INLINE static T log_rest(T z) {
    const T w = z * z;
    return w * (T(0.40000972152f) + w * T(0.24279078841f)) + z * (T(0.66666662693f) + w * T(0.28498786688f));
  }

  static constexpr float huge = 0x1p120f, shrink = 0x1p-20f;
  static constexpr float minute = 0x1p-100f, grow = 0x1p60f;
  static constexpr float tan_eighth_pi = 0x1.a8279ap-2f;
  static constexpr float quarter_pi = 0x1.921fb6p-1f, quarter_pi_low = -0x1.777a5cp-26f;
  static constexpr float half_pi = 0x1.921fb6p+0f, half_pi_low = -0x1.777a5cp-25f;
  static constexpr float three_quarter_pi = 0x1.2d97c8p+1f, three_quarter_pi_low = -0x1.99bc5cp-28f;
  static constexpr float pi = 0x1.921fb6p+1f, pi_low = -0x1.777a5cp-24f;
  template <class T>
  TRI_INLINE static T atan_rest(T z) {
    return z * (T(0.333333164f) + z * (T(-0.199984878f) + z * (T(0.142438263f) + z * (T(-0.10595829f) + z * T(0.0608299412f)))));
  }
};

}  // namespace detail
TRI_ISA_END
}  // namespace trilith
